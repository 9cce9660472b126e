#pragma once

// Shared by this room's tests.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "silt/cache/file_ops.h"
#include "silt/core/random.h"
#include "silt/fields/frame.h"

namespace silt::test {

/// An empty folder that is gone after the test. In memory where the machine has such a place: the tests sync a lot.
class TestFolder {
 public:
  TestFolder() {
    const bool shared_memory = std::filesystem::is_directory("/dev/shm");
    std::string name = (shared_memory ? "/dev/shm" : testing::TempDir()) + "/silt_cache_XXXXXX";
    if (!::mkdtemp(name.data())) throw IoError("no temporary folder");
    path_ = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void spill(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary).write(text.data(), std::streamsize(text.size()));
}

inline void flip_bit(const std::filesystem::path& path, std::size_t byte, int bit = 3) {
  std::string text = slurp(path);
  text.at(byte) = char(text.at(byte) ^ (1 << bit));
  spill(path, text);
}

inline void halve(const std::filesystem::path& path) {
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
}

/// The message of the exception of kind E that the action must throw.
template <class E, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const E& e) {
    return e.what();
  } catch (const std::exception& e) {
    ADD_FAILURE() << "another exception: " << e.what();
    return "";
  }
  ADD_FAILURE() << "no exception";
  return "";
}

/// A blob of smoke on a box that is aligned to nothing.
inline Frame small_frame(int number, Box cells = {{-3, 2, -5}, {14, 19, 12}}, Int3 active = {1, 1, 1}) {
  Frame frame;
  frame.number = number;
  frame.time = number / 24.0;
  frame.domain.lattice = {{0.25, -1.0, 2.0}, 0.05, active};
  frame.domain.cells = cells;
  frame.domain.sides[1] = {Side::open, Side::wall};
  frame.domain.sides[0] = {Side::periodic, Side::periodic};
  const Int3 middle{(cells.lo.x + cells.hi.x) / 2, (cells.lo.y + cells.hi.y) / 2, (cells.lo.z + cells.hi.z) / 2};
  Volume density{"smoke", "density", Volume::Kind::fog, "", cells, 0, {}};
  Volume temperature{"smoke", "temperature", Volume::Kind::fog, "K", cells, 293, {}};
  Volume velocity{"smoke", "velocity", Volume::Kind::vector, "m/s", cells, 0, {}};
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y)
      for (int x = cells.lo.x; x < cells.hi.x; ++x) {
        const Vec3d d = (Cell{x, y, z} - middle).as<double>();
        const double r = length(d);
        const float amount = r < 5 ? float(std::exp(-r / 3) * (1 + 0.1 * number)) : 0.0f;
        density.values.push_back(amount);
        temperature.values.push_back(293 + 10 * amount);
        for (int a = 0; a < 3; ++a) velocity.values.push_back(amount * float(a + 1 + 0.01 * x));
      }
  frame.volumes = {density, temperature, velocity};
  return frame;
}

/// Points anywhere within and a little beyond a frame's domain, with all that can be known of them.
inline Points small_points(const Frame& frame, std::size_t count) {
  Points points;
  points.material = "water";
  points.radius = float(0.3 * frame.domain.lattice.h);
  points.attributes = {{"wetness", "", {}}, {"heat", "K", {}}};
  const Vec3d lo = frame.domain.lower(), size = frame.domain.upper() - lo;
  for (std::size_t i = 0; i < count; ++i) {
    const auto random = [&](int n) { return random_unit(7, i, std::uint64_t(n)); };
    points.positions.push_back(lo + Vec3d{random(0) * 1.2 - 0.1, random(1) * 1.2 - 0.1, random(2) * 1.2 - 0.1} * size);
    points.velocities.push_back(Vec3d{random(3) - 0.5, 10 * random(4), 1e-3 * random(5)}.as<float>());
    points.id.push_back((std::uint64_t(1) << 40) + i * 3);
    points.age.push_back(float(random(6)));
    points.source.push_back(std::uint32_t(i % 3));
    points.colour.push_back(std::uint32_t(random(7) * 0xffffff));
    points.attributes[0].values.push_back(float(random(8)));
    points.attributes[1].values.push_back(float(300 + 50 * random(9)));
  }
  return points;
}

/// A pyramid with all that can be known of its corners.
inline Mesh small_mesh() {
  Mesh mesh;
  mesh.material = "water", mesh.name = "surface";
  mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1.25f, 0}, {0.1f, 0.2f, 1e-3f}};
  mesh.normals = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.velocities = {{0.5f, 3, -1e9f}, {}, {1, 2, 3}, {4, 5, 6}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  mesh.colour = {0x000000, 0xff8001, 0x10f0ff, 0xffffff};
  mesh.attributes = {{"wetness", "kg/m^2", {0, 0.25f, 0.5f, 1}}, {"wet", "", {1, 2, 3, 4}}};
  return mesh;
}

/// A folder, and beside it all that is the user's: whatever a test does, that is as it was in the end.
struct FolderTest : testing::Test {
  TestFolder place;
  std::filesystem::path path = place / "run", home = place / "home", precious = home / "thesis.txt";

  void SetUp() override {
    std::filesystem::create_directory(path);
    std::filesystem::create_directory(home);
    for (const char* name : {"thesis.txt", "0001.safetensors", "smoke.volume.0001.vdb", "frame.0001.png", ".a.1-2.tmp"})
      spill(home / name, "years of work");
  }
  void TearDown() override {
    const std::filesystem::directory_iterator entries(home);
    EXPECT_EQ(std::distance(begin(entries), std::filesystem::directory_iterator()), 5);
    for (const auto& entry : std::filesystem::directory_iterator(home))
      EXPECT_EQ(slurp(entry.path()), "years of work") << entry.path();
  }
};

}  // namespace silt::test

#include "silt/geometry/mesh_sequence.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/geometry/sample_meshes.h"
#include "silt/geometry/shape.h"

namespace silt {
namespace {

namespace fs = std::filesystem;

/// A folder of files foot.0003.obj, ...: a ball that grows by a third and is carried along x by 0.2 from file to file.
class MeshSequenceTest : public testing::Test {
 protected:
  void SetUp() override {
    folder = fs::temp_directory_path() /
             str("silt_sequence_", ::getpid(), "_", testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder);
    for (int f = 0; f < 4; ++f) write(f + 3, ball_mesh(centre(f), radius(f), 3));
  }
  void TearDown() override { fs::remove_all(folder); }

  static Vec3d centre(double f) { return {0.2 * f, 0.1, 0}; }
  static double radius(double f) { return 0.3 + 0.1 * f; }

  void write(int number, const TriangleMesh& mesh) const {
    std::ofstream out(folder / str("foot.000", number, ".obj"));
    out.precision(17);
    for (const Vec3d& v : mesh.vertices) out << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
    for (const Int3& t : mesh.triangles) out << "f " << t.x + 1 << ' ' << t.y + 1 << ' ' << t.z + 1 << '\n';
  }
  std::string refusal(const fs::path& pattern) const {
    try {
      MeshSequence(find_sequence(pattern), {}, 0);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  }

  fs::path folder;
};

TEST_F(MeshSequenceTest, MovesAsItsVerticesDo) {
  const double fps = 10;
  const auto sequence = std::make_shared<const MeshSequence>(find_sequence(folder / "foot.####.obj"),
                                                             MeshSequence::Timing{fps, 0.5, false}, 0);
  const Shape still = Shape::mesh(sequence);
  EXPECT_TRUE(still.deforms());
  EXPECT_FALSE(Shape::sphere({}, 1).deforms());
  EXPECT_NEAR(sequence->top_speed(), (0.2 + 0.1) * fps, 1e-2);
  EXPECT_NEAR(sequence->reach().lowest.x, -0.3, 1e-3);
  EXPECT_NEAR(sequence->reach().highest.x, 1.2, 1e-3);
  for (const double f : {0.0, 0.25, 1.0, 1.7, 2.99}) {
    const Shape shape = still.at(0.5 + f / fps);
    for (const Vec3d& off : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{-0.6, 0.48, 0.64}}) {
      const Vec3d x = centre(f) + off * (radius(f) + 0.05);
      const ShapeSample s = shape.view().sample(x);
      EXPECT_NEAR(s.distance, 0.05, 0.01) << f;
      // d/dt of centre + radius * off
      const Vec3d expected = (Vec3d{0.2, 0, 0} + off * 0.1) * fps;
      EXPECT_LT(length(s.velocity - expected), 0.02) << f << s.velocity << expected;
    }
    EXPECT_LT(shape.distance(centre(f)), 0);
  }
  // Before and after, it stands still.
  for (const double t : {0.0, 2.0}) {
    const double f = t < 0.5 ? 0 : 3;
    const ShapeSample s = still.at(t).view().sample(centre(f) + Vec3d{radius(f) + 0.1, 0, 0});
    EXPECT_NEAR(s.distance, 0.1, 0.01);
    EXPECT_EQ(s.velocity, Vec3d{});
  }
}

// Distance of a deforming surface: d(x, t + dt) - d(x, t) = -velocity . normal dt.
TEST_F(MeshSequenceTest, ItsVelocityIsTheRateOfItsDistance) {
  const auto sequence = std::make_shared<const MeshSequence>(find_sequence(folder / "foot.####.obj"),
                                                             MeshSequence::Timing{10, 0, false}, 0);
  const Similarity how{euler_xyz({10, 20, 30}), {1, 0, 0}, 2};
  const Shape shape = Shape::mesh(sequence).transformed(how);
  const double t = 0.13, dt = 1e-4;
  const Vec3d x = how(centre(1.3) + normalized(Vec3d{1, 2, -1}) * 0.6);
  const ShapeSample s = shape.at(t).view().sample(x);
  const double rate = (shape.at(t + dt).distance(x) - shape.at(t - dt).distance(x)) / (2 * dt);
  Vec3d normal;
  for (int a = 0; a < 3; ++a) {
    const Vec3d step = unit(a).as<double>() * 1e-5;
    normal[a] = (shape.at(t).distance(x + step) - shape.at(t).distance(x - step)) / 2e-5;
  }
  EXPECT_NEAR(rate, -dot(s.velocity, normal), 1e-3);
  EXPECT_GT(std::abs(rate), 1);
}

TEST_F(MeshSequenceTest, LoopsFromTheLastFileToTheFirst) {
  const auto sequence = std::make_shared<const MeshSequence>(find_sequence(folder / "foot.####.obj"),
                                                             MeshSequence::Timing{10, 0, true}, 0);
  const Shape shape = Shape::mesh(sequence);
  const Vec3d x{2, 0.1, 0};
  EXPECT_NEAR(shape.at(0.45).distance(x), shape.at(0.05).distance(x), 1e-12);
  EXPECT_NEAR(shape.at(-0.25).distance(x), shape.at(0.15).distance(x), 1e-12);
  // Half way back from file 3 to file 0.
  EXPECT_NEAR(shape.at(0.35).distance({0.3, 0.1, 0}), -radius(1.5), 0.01);
}

/// Every triangle with vertices of its own, as in an STL file.
TriangleMesh soup(const TriangleMesh& mesh) {
  TriangleMesh out;
  for (const Int3& t : mesh.triangles) {
    const int n = int(out.vertices.size());
    for (int c = 0; c < 3; ++c) out.vertices.push_back(mesh.vertices[t[c]]);
    out.triangles.push_back({n, n + 1, n + 2});
  }
  return out;
}

// In the first file two boxes share a side: eight of its vertices stand two by two, and two of its walls coincide.
TEST_F(MeshSequenceTest, WhatTouchesInOneFilePartsInTheNext) {
  const Vec3d low{0.5, 0.1, -0.2}, high{1.0, 0.6, 0.3}, side{0.5, 0, 0};
  const auto boxes = [&](double gap) {
    return soup(
        together(box_mesh(low, high, 2), box_mesh(low + side + Vec3d{gap, 0, 0}, high + side + Vec3d{gap, 0, 0}, 2)));
  };
  const double gaps[4] = {0, 0.2, 0, 0.4};
  for (int f = 0; f < 4; ++f) write(f + 3, boxes(gaps[f]));
  int looks = 0;
  const auto sequence = std::make_shared<const MeshSequence>(
      find_sequence(folder / "foot.####.obj"), MeshSequence::Timing{10, 0, false}, 0, [&](const fs::path& file) {
        ++looks;
        return read_mesh_file(file);
      });
  EXPECT_EQ(looks, 4);
  EXPECT_TRUE(sequence->report().closed);
  EXPECT_EQ(sequence->report().patches, 2);
  EXPECT_EQ(sequence->report().self_intersections, 0);
  EXPECT_EQ(sequence->report().duplicate_triangles, 0);
  EXPECT_EQ(sequence->report().duplicate_vertices, 2 * (48 * 3 - 26)) << "what stands together throughout is one";
  const Shape shape = Shape::mesh(sequence);
  for (const double f : {0.0, 0.5, 1.0, 2.0, 2.25, 3.0}) {
    const int from = std::min(int(f), 2);
    const double gap = gaps[from] + (gaps[from + 1] - gaps[from]) * (f - from);
    const Shape now = shape.at(f / 10);
    const Vec3d across{gap, 0, 0};
    const Shape exact = Shape::unite(Shape::box(low, high), Shape::box(low + side + across, high + side + across));
    std::mt19937 random(3);
    std::uniform_real_distribution<double> u(-0.5, 2.5);
    for (int i = 0; i < 2000; ++i) {
      const Vec3d x{u(random), u(random), u(random)};
      const double d = exact.distance(x);
      if (d > 0)
        ASSERT_NEAR(now.distance(x), d, 1e-6) << f << x;
      else
        ASSERT_LE(now.distance(x), 0) << f << x;
    }
  }
}

// A box that is a flat square in the first file.
TEST_F(MeshSequenceTest, WhatIsFlatInOneFileHasAVolumeInTheNext) {
  for (int f = 0; f < 4; ++f) write(f + 3, box_mesh({0, 0, 0}, {1, 1, 0.2 * f}, 2));
  const auto sequence = std::make_shared<const MeshSequence>(find_sequence(folder / "foot.####.obj"),
                                                             MeshSequence::Timing{10, 0, false}, 0);
  EXPECT_TRUE(sequence->report().closed);
  EXPECT_EQ(sequence->report().text(), "");
  EXPECT_NEAR(Shape::mesh(sequence).at(0.3).distance({0.5, 0.5, 0.4}), -0.2, 1e-6);
  EXPECT_NEAR(Shape::mesh(sequence).at(0.15).distance({0.5, 0.5, 0.4}), 0.1, 1e-6);
  EXPECT_NEAR(Shape::mesh(sequence).at(0).distance({0.5, 0.5, 0.4}), 0.4, 1e-6);
}

TEST_F(MeshSequenceTest, TheSameInstantIsTheSameMesh) {
  const auto sequence =
      std::make_shared<const MeshSequence>(find_sequence(folder / "foot.####.obj"), MeshSequence::Timing{}, 0);
  EXPECT_EQ(sequence->at(0.05).get(), sequence->at(0.05).get());
  const double there = Shape::mesh(sequence).at(0.05).distance({1, 1, 1});
  sequence->at(0.1);
  EXPECT_EQ(Shape::mesh(sequence).at(0.05).distance({1, 1, 1}), there);
}

TEST_F(MeshSequenceTest, WhatDoesNotFitIsNamed) {
  EXPECT_EQ(refusal(folder / "foot.####.obj"), "");
  EXPECT_NE(refusal(folder / "hand.####.obj").find("there is no file"), std::string::npos);
  EXPECT_NE(refusal(folder / "foot.#.#.obj").find("one run of '#'"), std::string::npos);
  fs::remove(folder / "foot.0005.obj");
  EXPECT_NE(refusal(folder / "foot.####.obj").find("files are missing: foot.0005.obj"), std::string::npos);
  write(5, ball_mesh({}, 1, 2));
  EXPECT_NE(refusal(folder / "foot.####.obj").find("foot.0005.obj: it has 162 vertices and foot.0003.obj has 642"),
            std::string::npos);
  TriangleMesh turned = ball_mesh({}, 1, 3);
  std::swap(turned.triangles[0], turned.triangles[1]);
  write(5, turned);
  EXPECT_NE(refusal(folder / "foot.####.obj").find("foot.0005.obj: its faces are not those of"), std::string::npos);
}

}  // namespace
}  // namespace silt

#include "silt/render.h"

#include <cmath>
#include <fstream>
#include <string>

#include "bench/bench_run.h"
#include "silt/render/synthetic_frames.h"
#include "silt/surface/sample_frames.h"
#include "silt/surface/surface.h"

namespace silt::bench {

namespace {

/// The most memory this process has held since the last call of `forget_peak` [MB].
double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) / 1000;
  return 0;
}
void forget_peak() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

double brightness(const Image& image) {
  double sum = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) sum += luminance(image.at(x, y));
  return sum / (double(image.width()) * image.height());
}

/// A heap of sand: half a million particles, drawn as two million grains.
Frame heap(int particles) {
  Frame frame = test::empty_frame(100);
  Points& points = frame.points.emplace_back();
  points.material = "sand";
  points.radius = 0.0035f;
  for (int i = 0; int(points.count()) < particles; ++i) {
    const auto pick = [&](int axis) { return random_unit(1, std::uint64_t(i), std::uint64_t(axis)); };
    const Vec3d x{pick(0), pick(1), 0.5 * pick(2)};
    if (x.z > 0.5 - std::hypot(x.x - 0.5, x.y - 0.5)) continue;
    points.positions.push_back(x);
    points.velocities.push_back({0.2f * float(pick(3)), 0, 0});
  }
  return frame;
}

/// A ring of water as a mesh of 250^3 voxels.
Frame ring(int cells, const Exec& exec) {
  Frame frame = test::filled_frame(cells, [](Vec3d x) {
    const Vec3d d = x - Vec3d{0.5, 0.5, 0.12};
    return std::hypot(std::hypot(d.x, d.y) - 0.32, d.z) < 0.1;
  });
  frame.meshes.push_back(surface_of_frame(frame, "water", {.voxel = 0.4}, exec));
  return frame;
}

}  // namespace

/// Whole pictures: as `silt render` makes them, of many grains and of a fine mesh of water, and as `silt run` makes
/// them. An answer is right when the picture is as bright as a small one with other random numbers.
void render(BenchRun& bench) {
  const auto one = [&](const std::string& name, const Frame& frame, const Effort& effort, double most_wall) {
    RenderParams params;
    params.seconds_per_frame = 1.0 / 24;
    params.effort = effort;
    const PictureSize size = bench.quick ? PictureSize{192, 108} : PictureSize{960, 540};
    params.camera.width = size.width, params.camera.height = size.height;
    RenderParams other = params;
    other.camera.width = 240, other.camera.height = 136;
    other.effort = {.samples = 64, .seed = 7};
    const double expected = brightness(expose_frame(frame, other, bench.exec).light);
    Exposure picture;
    forget_peak();
    const double before = peak_megabytes();
    bench.time({.name = name,
                .run = [&] { picture = expose_frame(frame, params, bench.exec); },
                .error = [&] { return std::abs(brightness(picture.light) / expected - 1); },
                .allowed = 0.05,
                .items = double(size.width) * size.height,
                .most_wall = most_wall});
    std::string file = name;
    for (char& c : file) c = c == ' ' ? '_' : c;
    bench.expect_at_most(file + ".memory", peak_megabytes() - before, 2000, "MB");
  };
  Effort full;
  full.samples = bench.quick ? 16 : 64;
  one("grains", heap(bench.quick ? 5000 : 500000), full, 60);
  one("mesh of water", ring(bench.size(100, 24), bench.exec), full, 60);
  one("quick smoke", synthetic::plume(bench.quick ? 16 : 48), Effort::quick(), 0);
  one("quick water", synthetic::pool(bench.quick ? 24 : 100), Effort::quick(), 0);
  bench.say(
      "\nPictures of 960 x 540 pixels; items are pixels. Grains and mesh: 64 paths a pixel. Memory is what the "
      "process\n"
      "took for the picture beside the frame.\n");
}

}  // namespace silt::bench

#include "silt/surface/surface.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/mantaflow.h"
#include "silt/core/timer.h"
#include "silt/surface/sample_frames.h"

namespace silt::bench {

namespace {

/// The column of scenes/water_column.toml, which Mantaflow meshes too, on voxels of the same size.
void race_mesher(BenchRun& bench) {
  constexpr double least = 2;  // times as fast
  const int cells = bench.size(100, 24), threads = std::min(2, bench.exec.threads());
  const Frame column =
      test::filled_frame(cells, [](Vec3d x) { return std::hypot(x.x - 0.3, x.y - 0.3) < 0.1857 && x.z < 0.5; });
  const Exec exec(Device::cpu, threads);
  double quickest = 1e30;
  for (int i = 0; i < 4; ++i) {
    const Timer timer;
    surface_of_frame(column, "water", {}, exec);
    quickest = std::min(quickest, timer.seconds());
  }
  const double particles = double(column.points.front().count());
  char line[120];
  std::snprintf(line, sizeof line, "\n  a column of %.0f particles, two voxels a cell: %.3g s\n", particles, quickest);
  bench.say(line);
  race_mantaflow(bench, {"mantaflow_surface.py", "particle", bench.quick ? 1 : 4, bench.quick ? 2 : 8, "frame"}, cells,
                 threads, 1e6 * quickest / particles, least);
}

}  // namespace

/// As many particles as Zhu's bunnies had, 269,322, in a ring on a grid of 100^3 cells, and their surface on 250^3
/// voxels, velocities at its corners included: 40 to 50 seconds in the thesis.
void surface(BenchRun& bench) {
  const int cells = bench.size(100, 24);
  const double radius = 0.32, tube = 0.073, pi = 3.14159265358979323846;
  const Frame frame = test::filled_frame(cells, [&](Vec3d x) {
    const Vec3d d = x - Vec3d{0.5, 0.5, 0.5};
    return std::hypot(std::hypot(d.x, d.y) - radius, d.z) < tube;
  });
  const double particles = double(frame.points.front().count());
  const double volume = 2 * pi * pi * radius * tube * tube;
  Mesh mesh;
  // Places and velocities in; corners with normals and velocities, and triangles, out.
  surface_of_frame(frame, "water", {}, bench.exec);
  const auto one = [&](const std::string& name, const SurfaceParams& params, double most_wall, double allowed) {
    mesh = surface_of_frame(frame, "water", params, bench.exec);
    bench.time({.name = name,
                .run = [&] { mesh = surface_of_frame(frame, "water", params, bench.exec); },
                .error = [&] { return std::abs(test::volume_of(mesh) / volume - 1); },
                .allowed = allowed,
                .items = std::pow(cells / params.voxel, 3),
                .bytes = 36 * particles + 36 * double(mesh.positions.size()) + 12 * double(mesh.triangles.size()),
                .most_wall = most_wall});
  };
  const double rough = bench.quick ? 0.2 : 0.02;  // the quick form's ring is three cells thick
  one("half a cell a voxel", {.voxel = 0.5}, 1.5, rough);
  one("250^3 voxels", {.voxel = 0.4}, 1.5, rough);
  one("250^3, anisotropic", {.voxel = 0.4, .kernel = SurfaceParams::Kernel::anisotropic}, 0, rough);
  one("500^3 voxels", {.voxel = 0.2}, 0, rough);
  race_mesher(bench);
  bench.say("\nItems are voxels of the whole box; the thesis took 40 to 50 s for 250^3 of as many particles.\n");
}

}  // namespace silt::bench

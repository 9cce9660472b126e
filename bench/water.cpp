#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <numbers>
#include <string>
#include <vector>

#include "bench/mantaflow.h"
#include "bench/race.h"
#include "bench/scene_frames.h"
#include "silt/sim/builtin_scenes.h"
#include "silt/simulation.h"

namespace silt::bench {

namespace {

constexpr double tolerance = 1e-4;         ///< of the pressure: |b - A x| <= tolerance |b|
constexpr double most_microseconds = 0.2;  ///< a particle and substep, on two cores
constexpr double copied_meanwhile = 4096;  ///< bytes a particle: the same in units of this machine's memory
constexpr double least_vs_mantaflow = 6;   ///< times as fast

/// Bytes of a particle that a stage must move: with affine modes it has 92. There is an eighth of a cell of liquid for
/// each; a step of a solve, its multigrid cycle included, goes once through a dozen fields of it.
std::map<std::string, double> stage_bytes(const Quickest& column) {
  constexpr double place = 24, velocity = 12, slopes = 36, all = 92;
  constexpr double cell = 1.0 / 8, faces = 3 * 4 * cell, solve_step = 90 * cell;
  constexpr int volume_steps = 3;
  return {
      {"water.sort", 2 * all},                                // each column read and written
      {"water.surface", place / 2 + (4 + 1) * cell + faces},  // offsets; phi, air, weights
      {"water.to_grid", place + velocity + slopes + 2 * faces},
      {"water.pressure", column.iterations * solve_step + 4 * faces},
      {"water.volume", volume_steps * solve_step + 2 * faces},
      {"water.extend", 5 * faces},  // velocity and kick, read and written; weights
      {"water.to_particles", place + velocity + slopes + faces},
      {"water.move", 2 * place + faces},
      {"sim.guard", 60 + 2 * all / column.best.substeps},  // all floats looked through; kept once in a while
      {"sim.totals", (2 * all + place + velocity) / column.best.substeps},  // once a frame: sorted, added up
  };
}

/// Other water, in the same units; `name` is a scene's.
double microseconds_of(BenchRun& bench, const std::string& name, const std::vector<std::string>& overrides,
                       double scale, int before) {
  SimulationOptions options;
  options.device = bench.exec.device();
  options.threads = std::min(2, bench.exec.threads());
  Simulation sim(load_scene(find_scene(name), overrides, scale), options);
  const Quickest taken = quickest_frame(sim, before, bench.quick ? 1 : 8);
  return 1e6 * taken.best.wall / double(sim.stats().totals.particles);
}

/// What water costs does not depend on how much room there is round it: a tank of 64 times the volume, and two drops
/// that fly a hundred diameters from each other against one of them.
void hold_to_room(BenchRun& bench, double scale) {
  constexpr double most_larger = 1.05, most_apart = 1.2;
  const int before = bench.quick ? 1 : 4;
  const auto tank = [&](const char* size) {
    return microseconds_of(bench, "water_column", {std::string("domain.size=") + size}, scale, before);
  };
  const double usual = tank("[1,0.6,0.6]"), larger = tank("[4,2.4,2.4]");
  bench.expect_at_most("in_64_times_the_room", larger / usual, most_larger, "times the cost");
  const auto drops = [&](const char* right) {
    return microseconds_of(bench, "splash_open",
                           {"domain.size=[26,1.2,1.2]", "shape.left.sphere.center=[1,0.6,0.6]",
                            std::string("shape.right.sphere.center=") + right, "fill.right.velocity=[0.7,0,0]"},
                           scale, before);
  };
  const double one = drops("[1,0.6,0.6]"), apart = drops("[25,0.6,0.6]");
  bench.expect_at_most("drops_far_apart", apart / one, most_apart, "times the cost");
}

/// Memory of this process that has been touched [bytes].
double resident_bytes() {
  std::ifstream pages("/proc/self/statm");
  double all = 0, resident = 0;
  pages >> all >> resident;
  return resident * double(sysconf(_SC_PAGESIZE));
}

/// What water costs by its shape, a particle.
struct ShapeCost {
  double particles = 0, microseconds = 0, bytes = 0;  ///< in all; a substep; resident
};

/// Water of the given shape, that flies through a room of n cells a side without walls.
ShapeCost cost_of_shape(BenchRun& bench, int n, const std::string& shape) {
  const std::string text = "silt = 1\n[domain]\nsize = [1, 1, 1]\nresolution = " + std::to_string(n) +
                           "\nsides = { x_min = 'open', x_max = 'open', y_min = 'open', y_max = 'open', z_min = "
                           "'open', z_max = 'open' }\ngravity = [0, 0, 0]\n[water]\n[shape.it]\n" +
                           shape + "\n[fill.it]\nshape = 'it'\nmaterial = 'water'\nvelocity = [0.5, 0, 0]\n";
  const double before = resident_bytes();
  SimulationOptions options;
  options.device = bench.exec.device();
  options.threads = std::min(2, bench.exec.threads());
  Simulation sim(parse_scene(text, "shape"), options);
  const Quickest taken = quickest_frame(sim, 2, bench.quick ? 1 : 6);
  const double particles = double(sim.stats().totals.particles);
  return {particles, 1e6 * taken.best.wall / particles, (resident_bytes() - before) / particles};
}

/// A sheet of less than two cells, aslant, is one body in a box of mostly air: against a block of as many particles.
void hold_to_shape(BenchRun& bench, int n) {
  constexpr double most_dearer = 8, most_memory = 5, thickness = 1.5;       // cells
  const double radius = 0.48, half = 0.5 * thickness / n / std::sqrt(3.0);  // along each axis
  const double side = std::cbrt(std::numbers::pi * radius * radius * thickness / n);
  char sheet[200], block[200];
  std::snprintf(sheet, sizeof sheet, "cylinder = { from = [%.9g, %.9g, %.9g], to = [%.9g, %.9g, %.9g], radius = %.9g }",
                0.5 - half, 0.5 - half, 0.5 - half, 0.5 + half, 0.5 + half, 0.5 + half, radius);
  std::snprintf(block, sizeof block, "box = { min = [0.2, 0.2, 0.2], max = [%.9g, %.9g, %.9g] }", 0.2 + side,
                0.2 + side, 0.2 + side);
  const ShapeCost thin = cost_of_shape(bench, n, sheet), thick = cost_of_shape(bench, n, block);
  char line[200];
  std::snprintf(line, sizeof line,
                "  a sheet aslant: %.0f particles, %.3f us a particle-substep, %.0f bytes a particle; a block: %.0f, "
                "%.3f us, %.0f bytes\n",
                thin.particles, thin.microseconds, thin.bytes, thick.particles, thick.microseconds, thick.bytes);
  bench.say(line);
  bench.expect_at_most("sheet", thin.microseconds / thick.microseconds, most_dearer, "times the cost of a block");
  bench.expect_at_most("sheet_memory", thin.bytes / thick.bytes, most_memory, "times the memory of a block");
}

/// Two drops that shatter each other in the open, when they are spread over a room a hundred times as large as they
/// were: against a block of as many particles.
void hold_to_splash(BenchRun& bench, int n) {
  constexpr double most_dearer = 2, speed = 3.5, volume = 2 * 4 * std::numbers::pi / 3 * 0.12 * 0.12 * 0.12;
  char left[64], right[64], block[200];
  std::snprintf(left, sizeof left, "fill.left.velocity=[%g,0,0]", speed);
  std::snprintf(right, sizeof right, "fill.right.velocity=[%g,0,0]", -speed);
  const double splash = microseconds_of(bench, "splash_open", {"run.frames=1000", left, right}, 0.5 * n / 100,
                                        /*before=*/bench.quick ? 40 : 120);
  const double side = std::cbrt(volume);
  std::snprintf(block, sizeof block, "box = { min = [0.2, 0.2, 0.2], max = [%.9g, %.9g, %.9g] }", 0.2 + side,
                0.2 + side, 0.2 + side);
  const double whole = cost_of_shape(bench, n / 2, block).microseconds;
  bench.expect_at_most("splash", splash / whole, most_dearer, "times the cost of a block");
}

/// Cost and memory from a hundred thousand to ten million particles: the first substeps of the column.
void hold_to_size(BenchRun& bench) {
  constexpr double most_dearer = 1.3, most_gigabytes = 12, usual = 433'000;
  const std::vector<double> counts = bench.quick ? std::vector{1e3, 4e3} : std::vector{1e5, 1e6, 1e7};
  std::string line = "  particles, us a particle-substep:";
  std::vector<double> taken;
  double gigabytes = 0;
  for (const double count : counts) {
    SimulationOptions options;
    options.device = bench.exec.device();
    options.threads = std::min(2, bench.exec.threads());
    Simulation sim(load_scene(find_scene("water_column"), {"run.fps=240"}, std::cbrt(count / usual)), options);
    const Quickest quickest = quickest_frame(sim, /*before=*/6, /*measured=*/bench.quick ? 2 : 6);
    const double particles = double(sim.stats().totals.particles);
    taken.push_back(1e6 * quickest.best.wall / particles);
    gigabytes = sim.stats().peak_memory_mb / 1024;
    char text[80];
    std::snprintf(text, sizeof text, "  %.3g: %.3f", particles, taken.back());
    line += text;
  }
  char memory[80];
  std::snprintf(memory, sizeof memory, "; %.3g GB at most\n", gigabytes);
  bench.say(line + memory);
  bench.expect_at_most("of_ten_million", taken.back() / taken.front(), most_dearer, "times the cost of few");
  bench.expect_at_most("memory", gigabytes, most_gigabytes, "GB");
}

}  // namespace

/// The column of scenes/water_column.toml as `silt run` takes it, files apart.
void water(BenchRun& bench) {
  const int n = bench.size(100, 24);
  const int threads = std::min(2, bench.exec.threads());
  bench.about(
      "The scene as `silt run` takes it, files apart: the quickest of several frames while the column spreads, a "
      "substep's\n"
      "share of it; APIC, steps of up to two cells, a second-order surface (ghost fluid), residual 1e-4. `of copy`: "
      "the "
      "bytes\n"
      "that a stage has to move against those of a plain copy in the same run; `kilobytes_copied`: how much of a "
      "particle "
      "could\n"
      "have been copied meanwhile. Mantaflow, where Blender is installed, has the same grid and column and steps of "
      "about the\n"
      "same length, and writes its cache to memory. Seconds vary with the machine and with what else it does: read the "
      "ratios.");
  tell_load(bench);
  hold_to_shape(bench, n);  // first: memory that others have left would be taken for its own
  SimulationOptions options;
  options.device = bench.exec.device();
  options.threads = threads;
  char text[64];
  std::snprintf(text, sizeof text, "water.tolerance=%g", tolerance);
  const Scene scene = load_scene(find_scene("water_column"), {text}, /*scale=*/n / 100.0);
  Simulation sim(scene, options);
  const Quickest column = quickest_frame(sim, bench.quick ? 2 : 16, bench.quick ? 2 : 16);

  const double particles = double(sim.stats().totals.particles), microseconds = 1e6 * column.best.wall / particles;
  bench.measure.at_most("residual", column.residual, tolerance);
  bench.measure.tell("iterations", column.iterations);
  bench.measure.tell("particles", particles);
  bench.expect_at_most("wall", microseconds, most_microseconds, "us a particle-substep");
  bench.expect_at_most("kilobytes_copied", column.best.wall * bench.copy_bandwidth() / (2 * 1024 * particles),
                       copied_meanwhile / 1024, "KB a particle-substep");
  bench.measure.tell("cpu", 1e6 * column.best.cpu / particles, "us a particle-substep");
  for (const auto& [stage, seconds] : column.best.stages)
    if (seconds > 1e-3 * column.best.wall)
      bench.measure.tell(stage.substr(stage.find('.') + 1), 1e6 * seconds / particles, "us a particle-substep");

  const Int3 size = scene.setting.domain.cells.size();
  char line[200];
  std::snprintf(line, sizeof line,
                "  %d x %d x %d cells (%lld in the water's own box), %.0f particles, %d threads; the quickest frame of "
                "substeps %d to %d\n",
                size.x, size.y, size.z, static_cast<long long>(sim.stats().cells), particles, threads, column.first + 1,
                column.first + column.substeps);
  bench.say(line + stage_table(column.best, {"particle", particles, stage_bytes(column)}, bench.copy_bandwidth()));
  hold_to_room(bench, n / 100.0);
  hold_to_splash(bench, n);
  hold_to_size(bench);
  race_mantaflow(bench, {"mantaflow_water.py", "particle", /*warm_up=*/bench.quick ? 2 : 12, bench.quick ? 1 : 4}, n,
                 threads, microseconds, least_vs_mantaflow);
}

}  // namespace silt::bench

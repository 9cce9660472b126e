#include <algorithm>
#include <cstdio>
#include <map>

#include "bench/mantaflow.h"
#include "bench/race.h"
#include "bench/scene_frames.h"
#include "silt/sim/builtin_scenes.h"
#include "silt/simulation.h"

namespace silt::bench {

namespace {

constexpr double tolerance = 1e-4;          ///< of the pressure: |b - A x| <= tolerance |b|
constexpr double most_microseconds = 0.25;  ///< a cell and substep, on two cores
constexpr double least_vs_mantaflow = 7;    ///< times as fast
constexpr double state_bytes = 28;          ///< a cell: five floats and a double

/// Bytes a cell that a substep's stages must move, each input read once and each output written once; the pressure is
/// left out, whose passes are as many as it has iterations.
const std::map<std::string, double> stage_bytes = {
    {"smoke.advect_velocity", 24 + 36},  // u to u~; then u and what it is reflected at to u~
    {"smoke.transport", 12 + 16},        // along u, two fields
    {"smoke.buoyancy", 2 * 16},          // twice: temperature, density; w changed
    {"sim.guard", 3 * state_bytes},      // the state kept for another try, and looked through
};

}  // namespace

/// The plume of scenes/smoke_plume.toml as `silt run` takes it, files apart.
void smoke(BenchRun& bench) {
  const int n = bench.size(256, 32);
  const int threads = std::min(2, bench.exec.threads());
  bench.about(
      "The scene as `silt run` takes it, files apart: the quickest of several frames once the plume has begun to rise, "
      "a\n"
      "substep's share of it. `of copy`: the bytes that a stage has to move against those of a plain copy in the same "
      "run;\n"
      "`copies_of_state`: how often the state could have been copied meanwhile. Mantaflow, where Blender is installed, "
      "has\n"
      "the same grid and steps of the same length, from an earlier and easier moment, and writes its cache to memory.\n"
      "Seconds vary with the machine and with what else it does: read the ratios.");
  tell_load(bench);
  SimulationOptions options;
  options.device = bench.exec.device();
  options.threads = threads;
  char text[64];
  std::snprintf(text, sizeof text, "smoke.tolerance=%g", tolerance);
  const Scene scene = load_scene(find_scene("smoke_plume"), {"domain.resolution=" + std::to_string(n), text});
  Simulation sim(scene, options);
  const Quickest plume = quickest_frame(sim, bench.quick ? 2 : 20, bench.quick ? 2 : 8);

  const double cells = double(scene.cells()), microseconds = 1e6 * plume.best.wall / cells;
  bench.measure.at_most("residual", plume.residual, tolerance);
  bench.measure.tell("iterations", plume.iterations);
  bench.expect_at_most("wall", microseconds, most_microseconds, "us a cell-substep");
  bench.measure.tell("cpu", 1e6 * plume.best.cpu / cells, "us a cell-substep");
  for (const auto& [stage, seconds] : plume.best.stages)
    if (seconds > 1e-3 * plume.best.wall)
      bench.measure.tell(stage.substr(stage.find('.') + 1), 1e6 * seconds / cells, "us a cell-substep");
  // What else the machine does slows a copy too.
  bench.measure.tell("copies_of_state", plume.best.wall * bench.copy_bandwidth() / (2 * state_bytes * cells));

  const Int3 size = scene.setting.domain.cells.size();
  char line[160];
  std::snprintf(line, sizeof line, "  %d x %d x %d cells, %d threads; the quickest frame of substeps %d to %d\n",
                size.x, size.y, size.z, threads, plume.first + 1, plume.first + plume.substeps);
  bench.say(line + stage_table(plume.best, {"cell", cells, stage_bytes}, bench.copy_bandwidth()));
  race_mantaflow(bench, {"mantaflow_smoke.py", "cell", /*warm_up=*/2, bench.quick ? 1 : 3}, n, threads, microseconds,
                 least_vs_mantaflow);
}

}  // namespace silt::bench

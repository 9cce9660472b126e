#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "bench/race.h"
#include "bench/scene_frames.h"
#include "silt/sim/builtin_scenes.h"
#include "silt/simulation.h"

namespace silt::bench {

namespace {

constexpr double copied_a_second = 110;      ///< kilobytes a particle: bounds on seconds in this machine's memory
constexpr double most_growth = 1.4;          ///< of iterations when cells become half as wide
constexpr double most_dearer = 1.3;          ///< a particle among ten million, against one among few
constexpr double particles_at_100 = 433479;  ///< of the scene as it is, 100 cells across
constexpr double tolerance = 3e-3;

/// Bytes of a particle that a stage must move, as in the benchmark of water; that of stress is left out, whose passes
/// are as many as it has iterations.
std::map<std::string, double> stage_bytes(int substeps) {
  constexpr double place = 24, velocity = 12, slopes = 36, all = 92, faces = 3 * 4 / 8.0;
  return {
      {"sand.sort", 2 * all},
      {"sand.to_grid", place + velocity + slopes + 2 * faces},
      {"sand.to_particles", place + velocity + slopes + faces},
      {"sand.move", 2 * place + faces},
      {"sim.totals", (2 * all + place + velocity) / substeps},
  };
}

/// A way to compute sand: what a scene says for it, the solve that takes the time, and what a substep may take.
struct SandKind {
  std::string name, solve;
  std::vector<std::string> settings;
  double most_seconds;  ///< of the column, on two cores
};
const std::vector<SandKind> kinds{
    {"constrained", "stress", {}, 0.5},
    {"rigid_plastic", "pressure", {"sand.model=rigid_plastic"}, 0.15},
};

Simulation column(const BenchRun& bench, const SandKind& kind, double cells, std::vector<std::string> settings) {
  SimulationOptions options;
  options.device = bench.exec.device();
  options.threads = std::min(2, bench.exec.threads());
  settings.insert(settings.end(), kind.settings.begin(), kind.settings.end());
  char text[64];
  std::snprintf(text, sizeof text, "sand.tolerance=%g", tolerance);
  settings.push_back(text);
  return Simulation(load_scene(find_scene("sand_column"), settings, cells / 100), options);
}

/// The column as Zhu had it, from the start until it lies: a substep on the mean, and by stage. All of it is still
/// there, and has gone down and not aside.
void time_column(BenchRun& bench, const SandKind& kind, int cells) {
  constexpr int until_it_lies = 200;  // substeps
  Simulation sim = column(bench, kind, cells, {});
  sim.advance_frame();
  const double volume = sim.stats().totals.volume;
  const Quickest taken = quickest_frame(sim, 0, bench.quick ? 8 : until_it_lies, kind.solve);
  const Totals& totals = sim.stats().totals;
  const double particles = double(totals.particles);
  const std::string name = kind.name + ".";
  bench.measure.near(name + "volume", totals.volume / volume, 1, 1e-12);
  bench.measure.at_most(name + "aside", std::abs(totals.momentum.y) / totals.mass, 0.02, "m/s");
  bench.measure.at_most(name + "residual", taken.residual, tolerance);
  bench.measure.tell(name + "iterations", taken.mean_iterations);
  bench.measure.tell(name + "particles", particles);
  bench.expect_at_most(name + "wall", taken.mean, kind.most_seconds, "s a substep");
  bench.expect_at_most(name + "kilobytes_copied", taken.mean * bench.copy_bandwidth() / (2 * 1024 * particles),
                       kind.most_seconds * copied_a_second, "KB a particle-substep");
  bench.measure.tell(name + "slowest", taken.slowest, "s a substep");
  bench.measure.tell(name + "quickest", taken.best.wall, "s a substep");
  bench.measure.tell(name + "cpu", taken.best.cpu, "s a substep");
  for (const auto& [stage, seconds] : taken.best.stages)
    if (seconds > 1e-3 * taken.best.wall)
      bench.measure.tell(name + stage.substr(stage.find('.') + 1), seconds, "s a substep");
  char line[300];
  std::snprintf(line, sizeof line,
                "  %s: %d cells across (%lld in the sand's own box), %.0f particles, %d threads; the quickest frame of "
                "substeps %d to %d, which take %.3f s each on the mean, and %.3f s in the slowest\n",
                kind.name.c_str(), cells, static_cast<long long>(sim.stats().cells), particles,
                std::min(2, bench.exec.threads()), taken.first + 1, taken.first + taken.substeps, taken.mean,
                taken.slowest);
  bench.say(line +
            stage_table(taken.best, {"particle", particles, stage_bytes(taken.best.substeps)}, bench.copy_bandwidth()));
}

/// How many more iterations a step takes, begun with the stress of the last, each time cells become half as wide: the
/// mean from the coarsest to the finest, for of two iterations or three the next is half as many again. Frames have one
/// or two substeps between these times [s].
void hold_to_iterations(BenchRun& bench, const SandKind& kind, const std::string& name, const std::vector<int>& sizes,
                        double from, double to, int steps_per_cell) {
  std::string line = "  " + kind.name + ", " + name + ": cells across, iterations a step:";
  std::vector<double> iterations;
  for (const int n : sizes) {
    const int fps = steps_per_cell * n;
    Simulation sim = column(bench, kind, n, {"run.fps=" + std::to_string(fps), "run.frames=10000"});
    const Quickest taken = quickest_frame(sim, int(fps * from), std::max(3, int(fps * (to - from))), kind.solve);
    bench.measure.at_most(kind.name + "." + name + ".residual" + std::to_string(n), taken.residual, tolerance);
    iterations.push_back(taken.mean_iterations);
    char text[80];
    std::snprintf(text, sizeof text, "  %d: %.1f", n, taken.mean_iterations);
    line += text;
  }
  bench.say(line + "\n");
  const double doublings = std::log2(double(sizes.back()) / sizes.front());
  const double growth = std::pow(iterations.back() / iterations.front(), 1 / doublings);
  bench.expect_at_most(kind.name + "." + name + ".growth", growth, most_growth,
                       "times the iterations on cells half as wide");
}

/// Cost and memory from a hundred thousand to ten million particles: the first substeps of the column. They take more
/// iterations the finer the grid is, which is told apart.
void hold_to_size(BenchRun& bench, const SandKind& kind) {
  const std::vector<double> counts = bench.quick ? std::vector{1e3, 4e3} : std::vector{1e5, 1e6, 1e7};
  std::string line = "  " + kind.name + ": particles, us a particle-substep, ns a particle-iteration:";
  std::vector<double> each;
  double gigabytes = 0;
  for (const double count : counts) {
    const double cells = 100 * std::cbrt(count / particles_at_100);
    Simulation sim = column(bench, kind, cells, {"run.fps=" + std::to_string(std::lround(cells))});
    const Quickest taken = quickest_frame(sim, /*before=*/2, /*measured=*/2, kind.solve);
    const double particles = double(sim.stats().totals.particles), us = 1e6 * taken.best.wall / particles;
    each.push_back(1e3 * us / std::max(1.0, taken.mean_iterations));
    gigabytes = sim.stats().peak_memory_mb / 1024;
    char text[80];
    std::snprintf(text, sizeof text, "  %.3g: %.3f, %.1f", particles, us, each.back());
    line += text;
  }
  char memory[80];
  std::snprintf(memory, sizeof memory, "; %.3g GB at most\n", gigabytes);
  bench.say(line + memory);
  bench.expect_at_most(kind.name + ".of_ten_million", each.back() / each.front(), most_dearer,
                       "times the cost of few, an iteration");
  bench.measure.tell(kind.name + ".memory", gigabytes, "GB");
}

}  // namespace

/// The column of scenes/sand_column.toml as `silt run` takes it, files apart.
void sand(BenchRun& bench) {
  bench.about(
      "The scene as `silt run` takes it, files apart. `wall`: a substep on the mean of the 200 from the start until "
      "the "
      "column lies;\n"
      "`slowest`, `quickest`: of the frames among them. `kilobytes_copied`: how much of a particle could have been "
      "copied "
      "meanwhile. `growth`: how many "
      "more\n"
      "iterations a step takes each time cells are half as wide, from the widest to the narrowest, begun with the last "
      "step's stress: means of frames of about\n"
      "one substep, from 0.03 to 0.05 s (`begins`) and from 0.15 to 0.2 s (`spreads`). `of_ten_million`: what an "
      "iteration costs a particle among 10^7, against one "
      "among\n"
      "10^5. For comparison: sand6 (Daviet & Bertails-Descoubes 2016), an implicit Drucker-Prager code, takes 6 to 16 "
      "s "
      "a step for\n"
      "233,562 particles of this column. Seconds vary with the machine and with what else it does: "
      "read the\n"
      "ratios.");
  tell_load(bench);
  for (const SandKind& kind : kinds) {
    time_column(bench, kind, bench.size(100, 16));
    hold_to_iterations(bench, kind, "begins", bench.quick ? std::vector{10, 20} : std::vector{64, 128, 256}, 0.03, 0.05,
                       1);
    if (!bench.quick) hold_to_iterations(bench, kind, "spreads", {32, 64, 128}, 0.15, 0.2, 4);
    hold_to_size(bench, kind);
  }
}

}  // namespace silt::bench

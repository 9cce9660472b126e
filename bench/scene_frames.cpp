#include "bench/scene_frames.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "bench/peers/peer.h"

namespace silt::bench {

Taken next_frame(Simulation& sim) {
  const double wall = wall_seconds(), cpu = cpu_seconds();
  sim.advance_frame();
  const double count = std::max(1, sim.stats().substeps);
  Taken taken{sim.stats().substeps, (wall_seconds() - wall) / count, (cpu_seconds() - cpu) / count, {}};
  for (const auto& [stage, seconds] : sim.stats().seconds) taken.stages[stage] = seconds / count;
  return taken;
}

Quickest quickest_frame(Simulation& sim, int before, int measured, const std::string& solve) {
  Quickest out;
  int frames = 0;
  while (out.first < before) out.first += next_frame(sim).substeps;
  while (out.substeps < measured) {
    const Taken taken = next_frame(sim);
    if (out.substeps == 0 || taken.wall < out.best.wall) out.best = taken;
    out.slowest = std::max(out.slowest, taken.wall);
    out.substeps += taken.substeps;
    out.mean += (taken.wall - out.mean) * taken.substeps / std::max(1, out.substeps);
    const auto found = sim.stats().solves.find(solve);
    if (found == sim.stats().solves.end()) continue;  // spray alone
    const SolveReport& report = found->second;
    out.residual = std::max(out.residual, report.residual);
    out.iterations = std::max(out.iterations, report.iterations);
    out.mean_iterations += (report.iterations - out.mean_iterations) / ++frames;
  }
  return out;
}

std::string stage_table(const Taken& taken, const Items& items, double copy_bandwidth) {
  std::vector<std::pair<std::string, double>> rows(taken.stages.begin(), taken.stages.end());
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  char line[160];
  std::snprintf(line, sizeof line, "  %-24s %12s %14s %9s %9s\n", "", "ms a substep", ("us a " + items.name).c_str(),
                "share", "of copy");
  std::string out = line;
  for (const auto& [stage, seconds] : rows) {
    if (seconds < 1e-3 * taken.wall) continue;
    std::snprintf(line, sizeof line, "  %-24s %12.1f %14.4f %9.3f", stage.c_str(), 1e3 * seconds,
                  1e6 * seconds / items.count, seconds / taken.wall);
    out += line;
    if (const auto bytes = items.stage_bytes.find(stage); bytes != items.stage_bytes.end()) {
      std::snprintf(line, sizeof line, " %9.3f", bytes->second * items.count / seconds / copy_bandwidth);
      out += line;
    }
    out += "\n";
  }
  std::snprintf(line, sizeof line, "  %-24s %12.1f %14.4f %9.3f\n", "substep", 1e3 * taken.wall,
                1e6 * taken.wall / items.count, 1.0);
  return out + line;
}

}  // namespace silt::bench

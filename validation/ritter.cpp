#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "trials/text.h"
#include "validation/lab.h"
#include "validation/water_lab.h"

namespace silt::validation {

namespace {

constexpr double h0 = 0.24;  // [m]
const double c0 = std::sqrt(gravity * h0), unit_time = h0 / c0;

constexpr double spare = 3;  // [h0]: what is felt ahead of the wave that runs back from the dam

/// Water of depth h0 behind a dam, so much of it and so much dry floor ahead that no wave meets an end of the channel
/// before the end of the run, which is in h0 / c0.
std::string scene(int cells, double end, double frame_step) {
  return str("silt = 1\n[run]\nframes = ", int(std::lround(end / frame_step)) + 1,
             "\nfps = ", 1 / (frame_step * unit_time), "\n[domain]\nsize = [", (3 * end + spare) * h0, ", ", 1.25 * h0,
             "]\ncell_size = ", h0 / cells,
             "\nsides = { y_max = \"open\" }\n[water]\n"
             "[shape.water]\nbox = { min = [-1, -1], max = [",
             (end + spare) * h0, ", ", h0, "] }\n[fill.water]\nshape = \"water\"\nmaterial = \"water\"\n");
}

/// h / h0 = ((2 - s) / 3)^2 moves at s c0.
double exact_speed(double eta) {
  return 2 - 3 * std::sqrt(eta);
}

}  // namespace

/// A dam breaks on a long dry floor.
void ritter(Lab& lab) {
  lab.about(
      "A dam breaks and the water, of depth h0, runs out over a long dry floor, in 2D. In shallow water a point of "
      "depth\n"
      "eta h0 moves at (2 - 3 sqrt(eta)) c0, c0 = sqrt(g h0) (Ritter 1892). The solver is not one of shallow water: "
      "right\n"
      "after the break the water falls instead, so speeds are those over the later half of the run, by least squares. "
      "Errors\n"
      "are in c0: as shares of the speed itself they would mean nothing near eta = 4/9, where it is zero. Depths below "
      "a\n"
      "tenth are the tip, which friction and the cells decide: `front` is told only. `share` is the error over the "
      "speed,\n"
      "where that is at least c0 / 2.");
  const double end = lab.quick ? 6 : 12, frame_step = 0.25;
  const std::vector<double> etas{0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4};
  Plot& plot = lab.plot("speed", "How fast points of constant depth move.", "h / h0", "speed / c0");
  Plot& profile = lab.plot("profile", "The water at the end.", "x / (t c0), from the dam", "h / h0");
  for (const int cells : lab.quick ? std::vector{16} : std::vector{24, 48}) {
    Simulation sim = lab.simulate(lab.scene_of(scene(cells, end, frame_step)));
    std::vector<double> time, front, s, depth;
    std::vector<std::vector<double>> places(etas.size());
    while (sim.advance_frame()) {
      if (sim.time() < 0.499 * end * unit_time) continue;
      const WaterSurface surface(sim.frame());
      time.push_back(sim.time() / unit_time);
      front.push_back(surface.front() / h0);
      for (std::size_t e = 0; e < etas.size(); ++e) places[e].push_back(surface.reach(etas[e] * h0, 2 * h0) / h0);
      s.clear(), depth.clear();
      for (double x = -1; x <= 2; x += 0.01)
        s.push_back(x), depth.push_back(surface.height((end + spare + x * time.back()) * h0) / h0);
    }
    std::vector<double> speeds;
    double worst = 0, worst_share = 0;
    for (std::size_t e = 0; e < etas.size(); ++e) {
      speeds.push_back(slope(time, places[e]));
      const double off = std::abs(speeds[e] - exact_speed(etas[e]));
      worst = std::max(worst, off);
      if (exact_speed(etas[e]) >= 0.5) worst_share = std::max(worst_share, off / exact_speed(etas[e]));
    }
    const std::string name = str("cells", cells);
    lab.measure.at_most(name + ".speed", worst, lab.quick || cells < 48 ? 0.07 : 0.05, "c0");
    lab.measure.at_most(name + ".share", worst_share, lab.quick ? 0.07 : 0.05);
    lab.measure.tell(name + ".front", slope(time, front), "c0");
    plot.points(str(cells, " cells"), etas, speeds);
    profile.line(str(cells, " cells"), s, depth);
  }
  std::vector<double> exact;
  for (const double eta : etas) exact.push_back(exact_speed(eta));
  plot.dashed("Ritter", etas, exact);
  const ReferenceData data("ritter_dam_break_dry_bed.csv");
  profile.markers("Ritter", data.column("s"), data.column("h_over_h0"));
}

}  // namespace silt::validation

#include <algorithm>
#include <cmath>

#include "silt/core/reduction.h"
#include "validation/lab.h"
#include "validation/settling.h"

namespace silt::validation {
namespace {

/// A block settles: every step's pressure is held to its conditions, and now and then [BON07]'s own form too.
void settle_block(Lab& lab, const std::string& name, Int3 n, Plot& plot) {
  constexpr int steps = 200;
  Settling sand(lab.exec, n);
  const double mass = sand.mass();
  double complementarity = 0, overfull = 0, lowest = 1, drift = 0, iterations = 0, weighted = 0, decades = 0;
  int lost = 0, near_empty = 0, weighted_lost = 0, weighted_most = 0;
  std::vector<double> times, heights;
  for (int step = 0; step < steps; ++step) {
    const Settling::Report report = sand.step();
    lost += !report.solve.converged;
    iterations += report.solve.iterations();
    complementarity = Max::combine(complementarity, report.complementarity);
    overfull = Max::combine(overfull, report.overfull);
    lowest = std::min(lowest, report.lowest);
    near_empty += report.near_empty > 0;
    drift = Max::combine(drift, std::abs(sand.mass() / mass - 1));
    times.push_back(sand.time());
    heights.push_back(sand.height() / n.x);
    if (step % 10 != 9) continue;
    const Settling::Weighted own = sand.weighted_form(1e-10);
    weighted_lost += !own.solve.converged;
    weighted_most = std::max(weighted_most, own.solve.iterations());
    weighted = Max::combine(weighted, own.complementarity);
    decades = std::max(decades, own.decades);
  }
  plot.line(name, times, heights);
  lab.measure.at_most(name + ".not_converged", lost, 0);
  lab.measure.at_most(name + ".complementarity", complementarity, 1e-6);
  lab.measure.at_most(name + ".overfull", overfull, 1e-4);
  lab.measure.at_least(name + ".lowest", lowest, -1e-12);
  lab.measure.at_most(name + ".mass_drift", drift, 1e-12);
  lab.measure.at_least(name + ".steps_with_near_empty_cells", near_empty, steps / 2);
  lab.measure.at_most(name + ".height", sand.height() / sand.packed_height(), 1.2);
  lab.measure.tell(name + ".time", sand.time(), "s");
  lab.measure.tell(name + ".mean_iterations", iterations / steps);
  lab.measure.at_most(name + ".weighted.not_converged", weighted_lost, 0);
  lab.measure.at_most(name + ".weighted.complementarity", weighted, 1e-6);
  lab.measure.at_least(name + ".weighted.decades", decades, 9.5);
  lab.measure.tell(name + ".weighted.most_iterations", weighted_most);
}

}  // namespace

/// Sand without friction settles in a box.
void settle(Lab& lab) {
  lab.about(
      "Sand without friction (Bonner 2007, chapter 4 and figure 4.1): a block of random fractions between 0 and 1 "
      "falls\n"
      "in a closed box, for 200 steps. A pressure keeps it from overfilling: 0 <= p perp 1 - f >= 0 in every cell, in\n"
      "every step. It acts on the flux f u, so that its operator has weights of geometry alone. The residual of\n"
      "complementarity is the largest |min(p dt^2/(rho h^2), 1 - f)|. Near-empty cells, 0 < f < 0.001, are there from\n"
      "the start.\n\n"
      "Every tenth state is also put to Bonner's own form (his row 4.10, mended and divided by the density), whose\n"
      "weights are one over the density at a face: ten decades, with empty cells at 1e-10.");
  Plot& plot = lab.plot("height", "Height of the centre of mass.", "t [s]", "height [m]");
  settle_block(lab, "plane", lab.quick ? Int3{24, 24, 1} : Int3{64, 64, 1}, plot);
  settle_block(lab, "space", lab.quick ? Int3{10, 10, 10} : Int3{32, 32, 32}, plot);
  lab.note(
      "`height` is that of the centre of mass at the end over that of all the sand packed at the bottom. Nothing "
      "rubs:\n"
      "it still sloshes when the 200 steps are over.");
}

}  // namespace silt::validation

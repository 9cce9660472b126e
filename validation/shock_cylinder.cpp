#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

constexpr double front_of_cylinder = 0.34, middle = 0.3;  // [m], of the scene

struct Bow {
  std::vector<double> x, rho;  ///< along the axis, before the cylinder
  double off = 0;              ///< how far before it the bow wave stands [m]
  Vec3d force;
  double bumps = 0;  ///< how much pressure varies along the cylinder from cell to cell, over what the shock brings
};

Bow run(const Lab& lab, int resolution) {
  Simulation sim = lab.simulate(lab.scene("shock_cylinder", {str("domain.resolution=", resolution), "run.frames=31"}));
  while (sim.advance_frame()) {
  }
  const Frame frame = sim.frame();
  const Volume *rho = frame.find("gas_density"), *p = frame.find("pressure");
  const Int3 n = rho->cells.size();
  const double h = frame.domain.lattice.h;
  Bow out;
  out.force = sim.stats().forces().at("cylinder");
  const int j = int(middle / h);
  for (int i = 0; i < n.x && (i + 0.5) * h < front_of_cylinder; ++i)
    out.x.push_back((i + 0.5) * h), out.rho.push_back(rho->values[std::size_t(j) * n.x + i]);
  // From the far side: where density has risen half way to the largest before the cylinder.
  const double most = *std::max_element(out.rho.begin(), out.rho.end()), least = out.rho.front();
  std::size_t i = 0;
  while (i + 1 < out.rho.size() && out.rho[i] < 0.5 * (least + most)) ++i;
  const double part = i > 0 ? (0.5 * (least + most) - out.rho[i - 1]) / (out.rho[i] - out.rho[i - 1]) : 0;
  out.off = front_of_cylinder - (out.x[i] - (1 - part) * h);
  // Pressure two cells from the surface, round the side the shock came from: second differences show steps.
  std::vector<double> round;
  const double r = 0.08 + 2 * h;
  for (double angle = 2.0; angle < 4.28; angle += h / r) {
    const double x = (0.42 + r * std::cos(angle)) / h - 0.5, y = (middle + r * std::sin(angle)) / h - 0.5;
    const int a = int(x), b = int(y);
    const auto at = [&](int u, int v) { return double(p->values[std::size_t(v) * n.x + u]); };
    const double s = x - a, t = y - b;
    round.push_back((1 - t) * ((1 - s) * at(a, b) + s * at(a + 1, b)) +
                    t * ((1 - s) * at(a, b + 1) + s * at(a + 1, b + 1)));
  }
  for (std::size_t k = 1; k + 1 < round.size(); ++k)
    out.bumps = std::max(out.bumps, std::abs(round[k + 1] - 2 * round[k] + round[k - 1]) / 81567);
  return out;
}

}  // namespace

void shock_cylinder(Lab& lab) {
  lab.about(
      "The scene `shock_cylinder`, a shock of Mach 1.3 over a cylinder: `stand_off` is how far before it the bow wave "
      "is 0.75 ms after\n"
      "the start, over that of a run with cells a quarter as wide; wanted within 0.05. `force` likewise is the push on "
      "the cylinder along\n"
      "the flow. `bumps`: the largest second difference of pressure along the cylinder's front, two cells away from "
      "it, "
      "over the jump of\n"
      "the shock: a staircase of cells would show there.");
  const int fine = lab.quick ? 200 : 500, coarse = fine / 4, between = fine / 2;
  const Bow best = run(lab, fine);
  Plot& plot = lab.plot("axis", "Density on the axis before the cylinder.", "x [m]", "rho [kg/m^3]");
  for (const int resolution : {coarse, between}) {
    const Bow bow = run(lab, resolution);
    plot.line(str(resolution, " cells"), bow.x, bow.rho);
    lab.measure.near(str("cells", resolution, ".stand_off"), bow.off / best.off, 1,
                     lab.quick || resolution == coarse ? 0.1 : 0.05);
    lab.measure.near(str("cells", resolution, ".force"), bow.force.x / best.force.x, 1, 0.1);
    lab.measure.at_most(str("cells", resolution, ".bumps"), bow.bumps, 0.05);
  }
  plot.dashed(str(fine, " cells"), best.x, best.rho);
  lab.measure.at_most(str("cells", fine, ".aside"), std::abs(best.force.y / best.force.x), 0.01);
}

}  // namespace silt::validation

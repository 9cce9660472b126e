#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "validation/interpolate.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

/// One velocity component along a centreline, walls included.
struct Profile {
  std::vector<double> at, value;
};

/// The middle column of cells, for an even number of them: the mean of the two beside the line.
Profile centreline(const Frame& frame, int component, double at_low, double at_high) {
  const Volume& velocity = *frame.find("velocity");
  const Box& b = velocity.cells;
  const int along = 1 - component, n = b.hi.x - b.lo.x, middle = n / 2;  // u runs along y, v along x
  Profile p{{0}, {at_low}};
  for (int i = 0; i < n; ++i) {
    Cell c = b.lo;
    c[along] += i;
    double sum = 0;
    for (const int side : {middle - 1, middle}) {
      c[component] = b.lo[component] + side;
      sum += velocity.at(c, component);
    }
    p.at.push_back((i + 0.5) / n);
    p.value.push_back(sum / 2);
  }
  p.at.push_back(1);
  p.value.push_back(at_high);
  return p;
}

struct Steady {
  Profile u, v;
  double time = 0;
  bool reached = false;
};

/// Runs until the flow changes by less than a hundred-thousandth of the lid's speed a second.
Steady run(const Lab& lab, int reynolds, int cells, double longest) {
  Simulation sim =
      lab.simulate(lab.scene("cavity", {str("domain.resolution=", cells), str("smoke.viscosity=", 1.0 / reynolds),
                                        str("run.frames=", int(longest) + 1), "run.fps=1"}));
  Steady out;
  while (!out.reached && sim.advance_frame()) {
    const Frame frame = sim.frame();
    const Profile u = centreline(frame, 0, 0, 1), v = centreline(frame, 1, 0, 0);
    double change = out.u.at.empty() ? 1 : 0;
    for (std::size_t i = 0; i < out.u.value.size(); ++i)
      change = std::max({change, std::abs(u.value[i] - out.u.value[i]), std::abs(v.value[i] - out.v.value[i])});
    out = {u, v, sim.time(), change < 1e-5};
  }
  return out;
}

double worst(const Profile& p, const std::vector<double>& at, const std::vector<double>& value) {
  double out = 0;
  for (std::size_t i = 0; i < at.size(); ++i) out = std::max(out, std::abs(cubic_at(p.at, p.value, at[i]) - value[i]));
  return out;
}

}  // namespace

void cavity(Lab& lab) {
  lab.about(
      "The scene `cavity`: a square box whose lid moves, run until the flow is steady. The velocity across the lid's\n"
      "direction on the two centrelines is compared with the tables of Ghia, Ghia & Shin 1982, J. Comput. Phys. 48,\n"
      "387-411 (streamfunction and vorticity, multigrid, 129^2). Errors are the largest at any tabulated point, as a "
      "share\n"
      "of the lid's speed.");
  const ReferenceData ghia_u("ghia_1982_u_vertical_centreline.csv"), ghia_v("ghia_1982_v_horizontal_centreline.csv");
  Plot& plot_u = lab.plot("u", "Velocity along x on the vertical centreline x = 1/2.", "y / side", "u / lid speed");
  Plot& plot_v = lab.plot("v", "Velocity along y on the horizontal centreline y = 1/2.", "x / side", "v / lid speed");
  struct Case {
    int reynolds, cells;
    double longest, bound;
  };
  std::vector<Case> cases{{100, 64, 60, 0.015}, {1000, 128, 120, 0.03}};
  if (lab.quick) cases = {{100, 32, 30, 0.015}};
  for (const Case& c : cases) {
    const std::string name = str("Re", c.reynolds);
    const Steady steady = run(lab, c.reynolds, c.cells, c.longest);
    const double error_u = worst(steady.u, ghia_u.column("y"), ghia_u.column(name));
    const double error_v = worst(steady.v, ghia_v.column("x"), ghia_v.column(name));
    lab.measure.at_most(str("re", c.reynolds, ".error.u"), error_u, c.bound);
    lab.measure.at_most(str("re", c.reynolds, ".error.v"), error_v, c.bound);
    lab.measure.tell(str("re", c.reynolds, ".steady_at"), steady.reached ? steady.time : NAN, "s");
    const std::string label = str("Re ", c.reynolds, ", ", c.cells, "^2");
    plot_u.line(label, steady.u.at, steady.u.value);
    plot_v.line(label, steady.v.at, steady.v.value);
    plot_u.markers(str("Ghia et al., Re ", c.reynolds), ghia_u.column("y"), ghia_u.column(name));
    plot_v.markers(str("Ghia et al., Re ", c.reynolds), ghia_v.column("x"), ghia_v.column(name));
  }
}

}  // namespace silt::validation

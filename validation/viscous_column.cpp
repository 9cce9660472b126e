#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "validation/lab.h"
#include "validation/water_lab.h"

namespace silt::validation {

namespace {

constexpr double side = 0.1, nu = 7e-3;  // of the column at first [m]; like honey [m^2/s]
constexpr double area = side * side;

/// x = 1.411 (g q^3 / 3 nu)^(1/5) t^(1/5)   [Huppert 1982, eq. 2.20]
double exact_front(double t) {
  return 1.411 * std::pow(gravity * area * area * area / (3 * nu) * t, 0.2);
}
double exact_time(double x) {
  return std::pow(x / 1.411, 5) * 3 * nu / (gravity * area * area * area);
}

/// Half of a column that spreads to both sides; the left wall is the plane of symmetry. The floor holds it.
std::string scene(int cells, double furthest, double fps, double seconds) {
  return str("silt = 1\n[run]\nframes = ", int(seconds * fps) + 1, "\nfps = ", fps, "\n[domain]\nsize = [",
             1.15 * furthest, ", ", 1.25 * side, "]\ncell_size = ", side / cells, "\n[water]\nviscosity = ", nu,
             "\n[wall.floor]\nside = \"y_min\"\nslip = \"none\"\n"
             "[shape.column]\nbox = { min = [-1, -1], max = [",
             side, ", ", side, "] }\n[fill.column]\nshape = \"column\"\nmaterial = \"water\"\n");
}

}  // namespace

/// A column of honey spreads under its own weight.
void viscous_column(Lab& lab) {
  lab.about(
      "A column as thick as honey (nu = 7e-3 m^2/s), a square of 10 cm, spreads on a floor that it sticks to, in 2D; "
      "one\n"
      "side of it is a wall that it slides along, a plane of symmetry. Once it is flat the front is at\n"
      "1.411 (g q^3 / 3 nu)^(1/5) t^(1/5), q the area (Huppert 1982, J. Fluid Mech. 121, 43-58). The exponent is the "
      "slope\n"
      "of log x over log t from three times the column's width on (quick: two and a half), where the layer is on "
      "average\n"
      "no thicker than a ninth of its length (a sixth); time runs from the release. `front_off` is how far the front "
      "is\n"
      "ahead of Huppert's at the end.");
  const double furthest = (lab.quick ? 4 : 6.5) * side, from = (lab.quick ? 2.5 : 3) * side;
  const double seconds = exact_time(furthest);
  Plot& plot = lab.plot("front", "The front.", "t [s]", "x / side of the column");
  plot.log_x = plot.log_y = true;
  for (const int cells : lab.quick ? std::vector{20} : std::vector{32, 64}) {
    Simulation sim = lab.simulate(lab.scene_of(scene(cells, furthest, 24, seconds)));
    std::vector<double> time, front, late_time, late_front;
    double off = 0;
    while (sim.advance_frame()) {
      if (sim.time() == 0) continue;
      const double x = WaterSurface(sim.frame()).front();
      time.push_back(sim.time());
      front.push_back(x / side);
      if (x < from) continue;
      late_time.push_back(sim.time());
      late_front.push_back(x / side);
      off = x / exact_front(sim.time()) - 1;
    }
    const std::string name = str("cells", cells);
    const double exponent = log_slope(late_time, late_front);
    if (cells == 32)
      lab.measure.tell(name + ".exponent", exponent);
    else
      lab.measure.near(name + ".exponent", exponent, 0.2, lab.quick ? 0.02 : 0.01);
    lab.measure.tell(name + ".front_off", off);
    plot.line(str(cells, " cells"), time, front);
  }
  std::vector<double> time, exact;
  for (double x = 1; x <= furthest / side * 1.05; x += 0.1) time.push_back(exact_time(x * side)), exact.push_back(x);
  plot.dashed("Huppert 1982", time, exact);
}

}  // namespace silt::validation

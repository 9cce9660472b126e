#include <algorithm>
#include <cmath>

#include "silt/core/text.h"
#include "silt/physics/gas/sample_gas.h"
#include "validation/lab.h"

namespace silt::validation {

namespace {

using gas::test::Rig;

/// Where density is largest along a ray from the corner, and half as far beyond as to the air's: the front [m].
double front(const Rig& rig, const Vec3d& direction, double h) {
  const Vec3d ray = normalized(direction);
  double best = 0, most = 0;
  for (double r = 0; r < 0.98; r += 0.25 * h) {
    const Vec3d x = ray * r * (1 / h);
    const Cell c{int(x.x), int(x.y), int(x.z)};
    if (!rig.setting.domain.cells.contains(c)) break;
    const double rho = rig.state.density(c);
    if (rho > most) most = rho, best = r;
  }
  double r = best;
  for (; r < 0.99; r += 0.25 * h) {
    const Vec3d x = ray * r * (1 / h);
    const Cell c{int(x.x), int(x.y), int(x.z)};
    if (!rig.setting.domain.cells.contains(c) || rig.state.density(c) < 0.5 * most) break;
  }
  return r;
}

}  // namespace

void sedov(Lab& lab) {
  lab.about(
      "A strong explosion in 3D, an eighth of it in a box with walls: energy E in the 27 cells about a point, the gas "
      "around a\n"
      "hundred-thousandth as hot. Its front is at (E t^2 / (0.85108 rho))^(1/5), gamma = 1.4 (Sedov 1946, Taylor "
      "1950). "
      "`radius` is\n"
      "that of the front, where density has fallen to half of its largest, in the mean of three axes, three diagonals "
      "of\n"
      "faces and one of the box, over the law; wanted within 0.05. `round` is how far these differ, over the mean.");
  const int n = lab.quick ? 24 : 64;
  const double h = 1.0 / n, energy = 1;
  GasParams params{.pressure = GasPressure::explicit_};
  params.ambient_pressure = params.gas_constant = 1e-5, params.ambient_temperature = 1;
  Rig rig({n, n, n}, h, Side::wall, params, {}, lab.exec);
  const int r = 2;  // 8 cells of the eighth
  for (int k = 0; k < r; ++k)
    for (int j = 0; j < r; ++j)
      for (int i = 0; i < r; ++i) rig.put({i, j, k}, 1, 0.4 * energy / 8 / (r * r * r * h * h * h));
  Plot& plot = lab.plot("radius", "The front over time.", "t", "r");
  plot.log_x = plot.log_y = true;
  const std::vector<Vec3d> rays{{1, 0.01, 0.01}, {0.01, 1, 0.01}, {0.01, 0.01, 1}, {1, 1, 0.01},
                                {1, 0.01, 1},    {0.01, 1, 1},    {1, 1, 1}};
  std::vector<double> t, radius, law;
  for (const double end : {0.05, 0.1, 0.2, 0.35, 0.5}) {
    rig.run_until(end);
    double sum = 0, least = 1e9, most = 0;
    for (const Vec3d& ray : rays) {
      const double found = front(rig, ray, h);
      sum += found / double(rays.size()), least = std::min(least, found), most = std::max(most, found);
    }
    t.push_back(end), radius.push_back(sum), law.push_back(std::pow(energy * end * end / 0.85108, 0.2));
    if (end > 0.15) {
      lab.measure.near(str("t", end, ".radius"), sum / law.back(), 1, lab.quick ? 0.15 : 0.05);
      lab.measure.at_most(str("t", end, ".round"), (most - least) / sum, lab.quick ? 0.15 : 0.06);
    }
  }
  plot.points(str(n, "^3 cells"), t, radius);
  plot.dashed("law", t, law);
  const gas::Least least = rig.least();
  lab.measure.at_least("least_pressure", least.pressure, 1e-9);
}

}  // namespace silt::validation

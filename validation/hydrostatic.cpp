#include <cmath>

#include "silt/core/reduction.h"
#include "silt/fields/cut_cells.h"
#include "validation/lab.h"
#include "validation/pressure_problem.h"

namespace silt::validation {
namespace {

/// A tank with a floor at a slope, filled to a height: the largest velocity that is left after one step of gravity and
/// one projection, over g dt. The pressure is in units of g dt.
double left_over(Lab& lab, int n, bool flat, double height) {
  PressureProblem p(n, flat);
  const Vec3d up = normalized(flat ? Vec3d{-0.31, 0, 1} : Vec3d{-0.31, 0.17, 1});
  CutCells cut(p.layout);
  cut_cells(lab.exec, p.domain, {{Shape::plane({0.5, 0.5, 0.21}, up), {}}}, cut);
  p.set_liquid(lab.exec, &cut.open, [&](const Vec3d& x) { return x.z - height; });
  // Gravity alone moves every face across z by -1: the divergence each cell must lose.
  Field<double> b(p.layout);
  for_each(p.domain.cells, [&](Cell c) { b.at(c) = p.h() * (cut.open[2](c + unit(2)) - cut.open[2](c)); });
  PoissonSolver solver(p.layout);
  solver.prepare(lab.exec, p.domain, p.weights, nullptr, p.held());
  Field<double> pressure(p.layout);
  const SolveReport report = solver.solve(lab.exec, {1e-9, 500}, b, pressure);
  double largest = report.converged ? 0 : 1;
  for (int a = 0; a < 3; ++a)
    for_each(p.domain.faces(a), [&](Cell f) {
      if (!(p.weights[a](f) > 0)) return;  // closed, or in the air
      const double over_theta = p.weights[a](f) / cut.open[a](f);
      const double u = (a == 2 ? -1 : 0) - over_theta * (pressure(f) - pressure(f - unit(a))) / p.h();
      largest = Max::combine(largest, std::abs(u));
    });
  return largest;
}

}  // namespace

/// A tank at rest stays at rest.
void hydrostatic(Lab& lab) {
  lab.about(
      "A tank at rest: a floor at a slope to the grid (a plane in cut cells), water up to any height in a cell (an "
      "exact\n"
      "level set, ghost-fluid lengths). One step of gravity, one projection; what is left is the largest velocity on "
      "a\n"
      "face that water touches, over g dt.");
  for (const bool flat : {true, false})
    for (const int n : lab.quick ? std::vector<int>{32} : std::vector<int>{64, 128, 256}) {
      double worst = 0;
      const int heights = lab.quick ? 4 : flat ? 20 : n < 256 ? 5 : 2;
      for (int k = 0; k < heights; ++k)  // from just above one cell's centre to the next's
        worst = Max::combine(worst, left_over(lab, n, flat, 0.6 + (k + 0.013) / heights / n));
      lab.measure.at_most((flat ? "2d." : "3d.") + std::to_string(n), worst, 1e-5);
    }
}

}  // namespace silt::validation

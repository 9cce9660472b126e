#include <cmath>

#include "silt/core/error.h"
#include "silt/core/reduction.h"
#include "silt/fields/cut_cells.h"
#include "validation/lab.h"
#include "validation/pressure_problem.h"

namespace silt::validation {
namespace {

/// Errors of the pressure in the cells of the fluid, in the mean square and at worst.
struct Errors {
  double mean = 0, worst = 0;
};

/// A harmonic function and its gradient.
double harmonic(const Vec3d& x) {
  return std::exp(x.x) * std::cos(x.y) + x.z * x.x;
}
Vec3d slope(const Vec3d& x) {
  return {std::exp(x.x) * std::cos(x.y) + x.z, -std::exp(x.x) * std::sin(x.y), x.x};
}

Field<double> solve(Lab& lab, PressureProblem& p, Field<double>& b) {
  PoissonSolver solver(p.layout);
  solver.prepare(lab.exec, p.domain, p.weights, nullptr, p.held());
  Field<double> x(p.layout);
  if (!solver.solve(lab.exec, {1e-11, 500}, b, x).converged) throw Error("the pressure did not converge");
  return x;
}

const Vec3d middle{0.51, 0.48, 0.503};
constexpr double radius = 0.37;

/// A ball of liquid with p = (R^2 - r^2) g on it, g harmonic, p = 0 on its surface:
/// laplacian p = -6 g - 4 (x - m) . grad g.
Errors ball_of_liquid(Lab& lab, int n) {
  PressureProblem p(n);
  const auto exact = [](const Vec3d& x) { return (radius * radius - dot(x - middle, x - middle)) * harmonic(x); };
  p.set_liquid(lab.exec, nullptr, [](const Vec3d& x) { return length(x - middle) - radius; });
  Field<double> b(p.layout);
  for_each(p.domain.cells, [&](Cell c) {
    const Vec3d x = p.centre(c);
    b.at(c) = p.h() * p.h() * (6 * harmonic(x) + 4 * dot(x - middle, slope(x)));
  });
  const Field<double> found = solve(lab, p, b);
  Errors out;
  double cells = 0;
  for_each(p.domain.cells, [&](Cell c) {
    if (!p.inside(c)) return;
    const double error = std::abs(found(c) - exact(p.centre(c)));
    out.mean += error * error, cells += 1;
    out.worst = Max::combine(out.worst, error);
  });
  out.mean = std::sqrt(out.mean / cells);
  return out;
}

/// A box round a solid ball, all of whose walls let through what a harmonic pressure has there: the pressure is that
/// one.
Errors round_a_solid(Lab& lab, int n) {
  PressureProblem p(n);
  CutCells cut(p.layout);
  cut_cells(lab.exec, p.domain, {{Shape::sphere(middle, radius), {}}}, cut);
  hodge_star(lab.exec, p.domain, {.open = &cut.open}, p.weights);
  Field<double> b(p.layout);
  for (int a = 0; a < 3; ++a)
    for_each(p.domain.faces(a), [&](Cell f) {
      Vec3d x = p.centre(f);
      x[a] -= 0.5 * p.h();
      const double flux = p.h() * (1 - cut.open[a](f)) * slope(x)[a];
      if (p.domain.cells.contains(f)) b.at(f) -= flux;
      if (p.domain.cells.contains(f - unit(a))) b.at(f - unit(a)) += flux;
    });
  const Field<double> found = solve(lab, p, b);
  double shift = 0, cells = 0;
  for_each(p.domain.cells, [&](Cell c) {
    if (p.inside(c)) shift += found(c) - harmonic(p.centre(c)), cells += 1;
  });
  Errors out;
  for_each(p.domain.cells, [&](Cell c) {
    if (!p.inside(c)) return;
    const double error = std::abs(found(c) - harmonic(p.centre(c)) - shift / cells);
    out.mean += error * error;
    out.worst = Max::combine(out.worst, error);
  });
  out.mean = std::sqrt(out.mean / cells);
  return out;
}

void order(Lab& lab, const std::string& name, Errors (*solve_on)(Lab&, int), Plot& plot) {
  std::vector<double> widths, mean, worst;
  // Small grids forgive what a large closed one does not, such as a mean that gathers in rounded residuals.
  for (const int n : lab.quick ? std::vector<int>{16, 32, 128} : std::vector<int>{16, 32, 64, 128}) {
    const Errors e = solve_on(lab, n);
    widths.push_back(1.0 / n), mean.push_back(e.mean), worst.push_back(e.worst);
  }
  plot.points(name + ", mean square", widths, mean);
  plot.points(name + ", worst cell", widths, worst);
  lab.measure.at_least(name + ".order_mean_square", log_slope(widths, mean), 1.8);
  lab.measure.at_least(name + ".order_worst", log_slope(widths, worst), 1.5);
  lab.measure.tell(name + ".error_mean_square", mean.back());
  lab.measure.tell(name + ".error_worst", worst.back());
}

}  // namespace

/// How fast the pressure's error falls beside curved surfaces and solids.
void pressure_order(Lab& lab) {
  lab.about(
      "Pressures that are known, in 3D. `liquid`: a ball of liquid with p = 0 on its surface, p = (R^2 - r^2) g with "
      "g\n"
      "harmonic, by ghost-fluid lengths (Gibou et al. 2002). `solid`: a box round a solid ball whose surface and "
      "walls\n"
      "let through the gradient of a harmonic pressure, by open parts of faces (Ng, Min & Gibou 2009). Errors over "
      "the\n"
      "cells of the fluid; orders by least squares over the grids.");
  Plot& plot = lab.plot("errors", "Errors of the pressure.", "cell width", "error");
  plot.log_x = plot.log_y = true;
  order(lab, "liquid", ball_of_liquid, plot);
  order(lab, "solid", round_a_solid, plot);
}

}  // namespace silt::validation

#include <algorithm>
#include <cmath>

#include "silt/core/random.h"
#include "silt/fields/cut_cells.h"
#include "validation/lab.h"
#include "validation/pressure_problem.h"

namespace silt::validation {
namespace {

PressureProblem plain_box(const Exec& exec, int n) {
  PressureProblem p(n);
  CutCells cut(p.layout);
  cut_cells(exec, p.domain, {}, cut);
  hodge_star(exec, p.domain, {.open = &cut.open}, p.weights);
  return p;
}

/// Whether a wall without thickness closes the face: one across x with a door, one across y with another, a shelf.
bool walled(int n, int axis, Cell c) {
  return (axis == 0 && c.x == n / 3 && c.y >= n / 8) || (axis == 1 && c.y == 2 * n / 3 + 1 && c.x <= n - n / 8) ||
         (axis == 2 && c.z == n / 4 - 1 && c.x < n / 3 && c.y <= n - n / 6);
}

double surface_height(double x, double y) {
  return 0.6 + 0.12 * std::sin(7 * x) * std::cos(5 * y) + 0.03 * std::sin(23 * x + 11 * y);
}

/// Spheres, a wall one cell thick, walls without thickness, and a wavy surface, all at once.
PressureProblem crowded_box(const Exec& exec, int n) {
  PressureProblem p(n);
  std::vector<PlacedShape> solids;
  for (const auto& [centre, radius] : {std::pair{Vec3d{0.3, 0.3, 0.3}, 0.17},
                                       {Vec3d{0.7, 0.6, 0.5}, 0.15},
                                       {Vec3d{0.35, 0.75, 0.35}, 0.1},
                                       {Vec3d{0.6, 0.2, 0.7}, 0.13}})
    solids.push_back({Shape::sphere(centre, radius), {}});
  const double thick = 3 * (n / 4) * p.h();
  solids.push_back({Shape::box({thick, -1, 0.13}, {thick + p.h(), 2, 2}), {}});
  CutCells cut(p.layout);
  cut_cells(exec, p.domain, solids, cut);
  for (int a = 0; a < 3; ++a)
    for_each(p.domain.faces(a), [&](Cell c) {
      if (walled(n, a, c)) cut.open[a].at(c) = 0;
    });
  p.set_liquid(exec, &cut.open, [](const Vec3d& x) { return x.z - surface_height(x.x, x.y); });
  return p;
}

/// Iterations to 1e-6, the more of a smooth and a random right-hand side.
int iterations(Lab& lab, PressureProblem& p) {
  PoissonSolver solver(p.layout);
  solver.prepare(lab.exec, p.domain, p.weights, nullptr, p.held());
  int most = 0;
  for (const bool smooth : {true, false}) {
    Field<double> b(p.layout), x(p.layout);
    for_each(p.domain.cells, [&](Cell c) {
      const Vec3d at = c.as<double>() * p.h();
      b.at(c) = smooth ? std::sin(6 * at.x) * std::cos(4 * at.y) + at.z
                       : random_unit(3, std::uint64_t(c.x + 4096 * c.y), std::uint64_t(c.z)) - 0.5;
    });
    const SolveReport report = solver.solve(lab.exec, {1e-6, 200}, b, x);
    most = std::max(most, report.converged ? report.iterations : 1000);
  }
  return most;
}

void count(Lab& lab, const std::string& name, PressureProblem (*make)(const Exec&, int), int bound, Plot& plot) {
  std::vector<double> sizes, counts;
  for (const int n : lab.quick ? std::vector<int>{16, 32} : std::vector<int>{64, 128, 256}) {
    PressureProblem p = make(lab.exec, n);
    sizes.push_back(n);
    counts.push_back(iterations(lab, p));
    lab.measure.at_most(name + "." + std::to_string(n), counts.back(), bound);
  }
  lab.measure.at_most(name + ".growth", *std::max_element(counts.begin(), counts.end()) - counts.front(), 3);
  plot.line(name, sizes, counts);
}

}  // namespace

/// How many iterations the pressure takes, and whether they grow with the grid.
void multigrid(Lab& lab) {
  lab.about(
      "Iterations of conjugate gradients, preconditioned by one multigrid cycle, until |b - A x| <= 1e-6 |b| from a\n"
      "start at zero; the more of a smooth and a random right-hand side. `box`: between walls, nothing inside.\n"
      "`crowded`: four spheres in cut cells, a wall one cell thick, three walls without thickness (two with a door, "
      "one\n"
      "a shelf), and a wavy free surface with ghost-fluid lengths, all in one box. `growth`: from the smallest grid "
      "to\n"
      "any larger one.");
  Plot& plot = lab.plot("iterations", "Iterations to a relative residual of 1e-6.", "cells along a side", "iterations");
  plot.log_x = true;
  count(lab, "box", plain_box, 12, plot);
  count(lab, "crowded", crowded_box, 25, plot);
}

}  // namespace silt::validation

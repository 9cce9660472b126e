#include <algorithm>
#include <cmath>

#include "silt/core/reduction.h"
#include "silt/solve/bounded_solver.h"
#include "silt/solve/cone_solver.h"
#include "silt/solve/mprgp.h"
#include "silt/solve/poisson_problem.h"
#include "silt/solve/projected_sor.h"
#include "silt/solve/sample_heap.h"
#include "silt/solve/sample_qps.h"
#include "validation/lab.h"

namespace silt::validation {
namespace {

double size_of(const std::vector<double>& x) {
  double most = 1;
  for (double v : x) most = std::max(most, std::abs(v));
  return most;
}

int iterations_of(const BoundedReport& report) {
  return report.iterations();
}
int iterations_of(const ConeReport& report) {
  return report.iterations;
}

/// Random programs, their answers by `solve(program, x)` against those of `exact(program)`.
template <class Make, class Solve, class Exact>
void compare(Lab& lab, const std::string& name, unsigned programs, const Make& make, const Solve& solve,
             const Exact& exact) {
  double worst = 0, iterations = 0;
  int lost = 0, most = 0;
  for (unsigned number = 0; number < programs; ++number) {
    const auto qp = make(number);
    std::vector<double> x(qp.size(), 0.0);
    const auto report = solve(qp, x);
    const std::vector<double> answer = exact(qp);
    for (std::size_t i = 0; i < x.size(); ++i)
      worst = Max::combine(worst, std::abs(x[i] - answer[i]) / size_of(answer));
    lost += !report.converged;
    iterations += iterations_of(report);
    most = std::max(most, iterations_of(report));
  }
  lab.measure.at_most(name + ".error", worst, 1e-6);
  lab.measure.at_most(name + ".not_converged", lost, 0);
  lab.measure.tell(name + ".programs", programs);
  lab.measure.tell(name + ".mean_iterations", iterations / programs);
  lab.measure.tell(name + ".most_iterations", most);
}

void boxes(Lab& lab) {
  const auto solve = [](const SampleQp& qp, std::vector<double>& x) {
    DenseForm form = qp.form();
    return Mprgp<DenseForm>(form).solve(form, {1e-11, 5000}, x);
  };
  compare(lab, "boxes", lab.quick ? 500 : 10000, random_qp, solve, solve_by_enumeration);
}

void cones(Lab& lab) {
  const auto solve = [](const SampleConeQp& qp, std::vector<double>& x) {
    DenseConeForm form = qp.form();
    return ConeSolver<DenseConeForm>(form).solve(form, {1e-10, 100000}, x);
  };
  compare(lab, "cones", lab.quick ? 50 : 1000, random_cone_qp, solve, solve_by_interior_points);
}

/// The kinetic energy of the faces that have a mass, twice.
double energy(const SampleHeap& heap, const MacField<double>& u) {
  double sum = 0;
  for (int a = 0; a < 3; ++a)
    test::for_each(heap.domain.faces(a), [&](Cell c) {
      if (heap.inverse_mass[a](c) > 0) sum += u[a](c) * u[a](c) / heap.inverse_mass[a](c);
    });
  return sum;
}

struct HeapAnswer {
  ConeReport report;
  MacField<double> velocity;
};

HeapAnswer settle(Lab& lab, const SampleHeap& heap, double tolerance) {
  StressSolver solver;
  StressField b(heap.layout), x(heap.layout);
  solver.prepare(lab.exec, heap.domain, heap.parts());
  solver.strain(lab.exec, heap.falling, b);
  HeapAnswer out{solver.solve(lab.exec, {tolerance, 200000}, b, x), heap.falling};
  solver.push(lab.exec, x, out.velocity);
  return out;
}

/// The stress in blocks of sand, finer and finer, against runs a thousand times as exact.
void heaps(Lab& lab, int dims, const std::vector<int>& sizes, Plot& plot) {
  const std::string name = "heaps_" + std::to_string(dims) + "d";
  std::vector<double> across, iterations;
  double kkt = 0, worst = 0;
  for (int n : sizes) {
    const SampleHeap heap(n, dims);
    const HeapAnswer found = settle(lab, heap, 1e-6), exact = settle(lab, heap, 1e-9);
    MacField<double> error = found.velocity;
    for (int a = 0; a < dims; ++a)
      test::for_each(heap.domain.faces(a), [&](Cell c) { error[a].at(c) -= exact.velocity[a](c); });
    worst = Max::combine(worst, std::sqrt(energy(heap, error) / energy(heap, heap.falling)));
    kkt = Max::combine(kkt, found.report.kkt);
    across.push_back(n), iterations.push_back(found.report.iterations);
    lab.measure.tell(name + ".iterations_" + std::to_string(n), found.report.iterations);
  }
  plot.points(std::to_string(dims) + "D, to 1e-6", across, iterations);
  lab.measure.at_most(name + ".kkt", kkt, 1e-6);
  lab.measure.at_most(name + ".velocity_error", worst, 1e-4);
  lab.measure.at_most(name + ".growth", log_slope(across, iterations), 1.5);
}

/// Complementarity problems of the weighted Laplacian against projected SOR.
void laplacians(Lab& lab) {
  const int n = lab.quick ? 24 : 64, m = lab.quick ? 8 : 20;
  double worst = 0, kkt = 0;
  int problems = 0, lost = 0;
  for (Side side : {Side::wall, Side::open, Side::periodic})
    for (const Box& cells :
         {Box{{-3, 0, 0}, {n, 1, 1}}, Box{{-3, 2, 0}, {n, n - 5, 1}}, Box{{0, -2, 0}, {m, m, m + 3}}})
      for (double closed : {0.0, 0.15}) {
        test::PoissonProblem p(cells, side, side, side);
        p.random_weights(closed);
        Field<double> b = p.random_field<double>(9), x(p.layout), exact(p.layout);
        test::for_each(p.domain.cells, [&](Cell c) { b.at(c) += 0.3 * std::sin(0.2 * c.x) - 0.2; });
        BoundedSolver solver;
        solver.prepare(lab.exec, p.domain, p.weights);
        const BoundedReport report = solver.solve(lab.exec, {1e-10, 5000}, not_negative, b, x);
        if (report.infeasible) continue;  // a small closed part is pushed at: no answer to compare
        ++problems;
        lost += !report.converged;
        kkt = Max::combine(kkt, report.kkt);
        projected_sor(PoissonOperator(lab.exec, p.domain, p.weights), not_negative, b, exact, 1e-13);
        double error = 0, size = 0;
        test::for_each(p.domain.cells, [&](Cell c) {
          error = Max::combine(error, std::abs(x(c) - exact(c)));
          size = std::max(size, std::abs(exact(c)));
        });
        worst = Max::combine(worst, error / size);
      }
  lab.measure.at_most("laplacians.error", worst, 1e-6);
  lab.measure.at_most("laplacians.not_converged", lost, 0);
  lab.measure.at_least("laplacians.problems", problems, 12);
  lab.measure.tell("laplacians.kkt", kkt);
}

}  // namespace

/// Quadratic programs whose answers are known by other ways.
void qp(Lab& lab) {
  lab.about(
      "Boxes: minimise 1/2 x.Ax - b.x between bounds by MPRGP (Dostal & Schoeberl 2005). Random programs of 1 to 12\n"
      "unknowns, eigenvalues over four decades, each unknown free, bounded below, above, on both sides, or held; the\n"
      "reference tries every choice of active bounds and solves it by elimination. Errors are relative to the largest\n"
      "unknown, or to 1.\n\n"
      "Cones: 1 to 3 blocks (p, s) of 2 to 7 unknowns under |s| <= mu p + c, half of them with cohesion c, half with "
      "a\n"
      "limit on tension, by accelerated projected gradients with restart (Beck & Teboulle 2009; O'Donoghue & Candes\n"
      "2015); the reference is an interior-point method, Newton's on a logarithmic barrier.\n\n"
      "Laplacians: 0 <= x perp A x - b >= 0 for the weighted Laplacian with walls, open and periodic sides, in 1D, 2D\n"
      "and 3D, with random weights, a part of them closed; the reference is projected SOR (Cryer 1971) until no sweep\n"
      "moves anything.\n\n"
      "Heaps: the stress in a block of sand that has just been let go on a rough floor, |s| <= 0.8 p, a cone in every\n"
      "cell and A = D M^-1 D^T on a MAC grid. The velocity it leaves is compared with that of a run to 1e-9, in the\n"
      "norm of kinetic energy and relative to the fall without stress. `growth` is the power of the number of cells\n"
      "across with which iterations grow.");
  boxes(lab);
  cones(lab);
  laplacians(lab);
  Plot& plot = lab.plot("heaps", "Iterations to a projected gradient of 1e-6.", "cells across", "iterations");
  plot.log_x = plot.log_y = true;
  heaps(lab, 2, lab.quick ? std::vector<int>{8, 16, 32} : std::vector<int>{16, 32, 64, 128}, plot);
  heaps(lab, 3, lab.quick ? std::vector<int>{8, 16} : std::vector<int>{16, 32, 64}, plot);
}

}  // namespace silt::validation

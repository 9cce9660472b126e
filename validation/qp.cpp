#include <algorithm>
#include <cmath>

#include "silt/core/reduction.h"
#include "silt/solve/bounded_solver.h"
#include "silt/solve/cone_solver.h"
#include "silt/solve/mprgp.h"
#include "silt/solve/poisson_problem.h"
#include "silt/solve/projected_sor.h"
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
      "moves anything.");
  boxes(lab);
  cones(lab);
  laplacians(lab);
}

}  // namespace silt::validation

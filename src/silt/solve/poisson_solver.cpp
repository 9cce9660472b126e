#include "silt/solve/poisson_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "silt/core/loops.h"
#include "silt/fields/copy_cells.h"

namespace silt {

namespace {

/// Of b the sum of squares and the largest, and the largest of x.
struct Norms {
  View<const double> b, x;
  SILT_HD Several<3> operator()(Cell c) const { return {{b(c) * b(c), std::abs(b(c)), std::abs(x(c))}}; }
};

struct Add {
  View<const float> z;
  View<double> x;
  SILT_HD void operator()(Cell c) const { x(c) += z(c); }
};

struct Dot {
  View<const double> a;
  View<const float> b;
  SILT_HD double operator()(Cell c) const { return a(c) * b(c); }
};

struct Clear {
  View<double> x;
  SILT_HD void operator()(Cell c) const { x(c) = 0; }
};

/// Conjugate gradients may go uphill for a while; |r| that has grown so far from its least only grows.
constexpr double runaway = 1e4;

/// How far from the end a step asks whether smoothing would do: no step makes a residual so many times smaller.
constexpr double near = 300;

}  // namespace

PoissonSolver::PoissonSolver(const Layout& layout, Preconditioner preconditioner)
    : preconditioner_(preconditioner), r_(layout), s_(layout) {
  if (!multigrid_is_used()) cholesky_.z = cholesky_.narrow = Field<float>(layout);
}

void PoissonSolver::prepare(const Exec& exec, const Domain& domain, const MacField<float>& weights,
                            const Field<float>* screen, const Field<unsigned char>* held) {
  if (domain != operator_.domain())  // directions are zero beyond the domain, or wrapped round it
    for (Field<float>* f : {&s_, &cholesky_.z})
      if (f->allocated()) *f = Field<float>(f->layout());
  used_.move_to(domain.cells, r_, s_);
  operator_.prepare(exec, domain, weights, screen, held);
  if (multigrid_is_used())
    multigrid_.prepare(exec, operator_);
  else
    cholesky_.factors = MicPreconditioner(exec, operator_);
  null_space_ = NullSpace(exec, operator_);
}

SolveReport PoissonSolver::solve(const Exec& exec, const SolveOptions& options, Field<double>& b, Field<double>& x) {
  const Cells& cells = operator_.domain().cells;
  SolveReport report;
  const auto norms = [&] {
    return reduce<Each<Sum, Max, Max>>(exec, "pcg.norms", cells, Norms{b.read(exec), std::as_const(x).read(exec)});
  };
  const Several<3> found = norms();
  const double largest = found[1], largest_guess = found[2];
  double sum = found[0];
  if (!null_space_.empty()) {
    const double taken_off = null_space_.make_compatible(exec, b);
    report.imbalance = largest > 0 && std::isfinite(largest) ? taken_off / largest : 0;
    sum = norms()[0];
  }
  const double b_norm = std::sqrt(sum);
  const auto start_from_zero = [&] {
    if (largest_guess != 0 || report.iterations > 0)
      for_each_cell(exec, "pcg.clear", Cells(x.layout().storage(), cells.rows), Clear{x.update(exec)});
    for_each_cell(exec, "pcg.copy", cells, CopyCells<double>{std::as_const(b).read(exec), r_.update(exec)});
    return sum;
  };
  if (b_norm == 0 || !std::isfinite(b_norm)) {
    start_from_zero();
    report.converged = b_norm == 0;
    report.residual = b_norm == 0 ? 0 : 1;
    return report;
  }
  null_space_.clear_rows(x);
  double norm2 = largest_guess > 0 ? operator_.residual(exec, x, b, r_) : sum;
  if (!(largest_guess > 0) || !(norm2 <= sum)) norm2 = start_from_zero();  // no guess, or one worse than none
  // The recursion's residual drifts from the true one; when it says "done" and the truth does not, start from the
  // truth.
  const double stop = options.tolerance * b_norm;
  const auto done = [&] { return std::sqrt(norm2) <= stop; };
  for (int pass = 0; pass < 4 && !done() && report.iterations < options.max_iterations; ++pass) {
    if (pass > 0) operator_.residual(exec, x, b, r_);
    report.iterations += iterate(exec, 0.9 * stop, options.max_iterations - report.iterations, std::sqrt(norm2), x);
    norm2 = operator_.residual_norm2(exec, x, b);
  }
  if (!(norm2 <= sum)) norm2 = start_from_zero();
  report.residual = std::sqrt(norm2) / b_norm;
  report.converged = done();
  return report;
}

/// Every cycle begins with smoothing, which makes r three times smaller by itself: where that is small enough, x takes
/// it up, and the rest of the cycle is not needed.
int PoissonSolver::iterate(const Exec& exec, double stop, int most, double norm, Field<double>& x) {
  const Field<float>& z = multigrid_is_used() ? multigrid_.correction() : cholesky_.z;
  if (multigrid_is_used()) {
    multigrid_.set_right_side(exec, r_);
    multigrid_.start_cycle(exec);
  }
  Rest rest{norm};
  double rz_before = 0, least = norm;
  int iterations = 0;
  for (; iterations < most && rest.norm > stop; ++iterations) {
    least = std::min(least, rest.norm);
    if (rest.norm > runaway * least) break;
    if (rest.smoothed <= stop) {
      for_each_cell(exec, "pcg.smoothed", operator_.domain().cells, Add{z.read(exec), x.update(exec)});
      break;
    }
    const double rz = multigrid_is_used() ? multigrid_.finish_cycle(exec) : apply_cholesky(exec);
    const float beta = iterations == 0 ? 0.0f : float(rz / rz_before);
    const double s_as = operator_.next_direction(exec, z, beta, s_);
    if (!(s_as > 0) || !std::isfinite(rz)) break;  // breakdown: x is still the best so far
    rest = advance(exec, rz / s_as, rest.norm < near * stop, x);
    rz_before = rz;
  }
  return iterations;
}

/// z ~ A^-1 r; returns r . z.
double PoissonSolver::apply_cholesky(const Exec& exec) {
  cholesky_.factors.apply(exec, r_, cholesky_.z);
  return reduce<Sum>(exec, "pcg.dot", operator_.domain().cells, Dot{r_.read(exec), cholesky_.z.read(exec)});
}

/// x += alpha s_, r -= alpha A s_. Multigrid begins its next cycle in the same wave, with the new residual still in the
/// cache: after the last step that is lost, but the passes through memory it saves are worth more.
PoissonSolver::Rest PoissonSolver::advance(const Exec& exec, double alpha, bool near_end, Field<double>& x) {
  const Cells& cells = operator_.domain().cells;
  RowTotals<Sum> norm2(cells), smoothed2(cells);
  Wave wave(exec, cells);
  operator_.advance(exec, alpha, s_, x, r_, multigrid_is_used() ? multigrid_.right_side() : cholesky_.narrow, norm2,
                    wave);
  if (!multigrid_is_used()) {
    wave.run();
    return {std::sqrt(norm2.total())};
  }
  const bool measures = near_end && multigrid_.smooths();
  multigrid_.start_cycle(exec, std::move(wave), measures ? &smoothed2 : nullptr);
  if (!measures) return {std::sqrt(norm2.total())};
  return {std::sqrt(norm2.total()), std::sqrt(smoothed2.total())};
}

}  // namespace silt

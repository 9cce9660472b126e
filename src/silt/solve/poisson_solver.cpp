#include "silt/solve/poisson_solver.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "silt/core/loops.h"

namespace silt {

namespace {

/// Of b the sum of squares and the largest, and the largest of x.
struct Norms {
  View<const double> b, x;
  SILT_HD Several<3> operator()(Cell c) const { return {{b(c) * b(c), std::abs(b(c)), std::abs(x(c))}}; }
};

struct Copy {
  View<const double> from;
  View<double> to;
  SILT_HD void operator()(Cell c) const { to(c) = from(c); }
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

/// Conjugate gradients may go uphill for a while; |r|^2 that has grown so far from its least only grows.
constexpr double runaway = 1e8;

}  // namespace

PoissonSolver::PoissonSolver(const Layout& layout, Preconditioner preconditioner)
    : preconditioner_(preconditioner), r_(layout), s_(layout) {
  if (preconditioner == Preconditioner::incomplete_cholesky)
    cholesky_.z = cholesky_.next = cholesky_.narrow = Field<float>(layout);
}

void PoissonSolver::prepare(const Exec& exec, const Domain& domain, const MacField<float>& weights,
                            const Field<float>* screen, const Field<unsigned char>* held) {
  if (domain != operator_.domain())  // directions are zero beyond the domain, or wrapped round it
    for (Field<float>* f : {&s_, &cholesky_.z, &cholesky_.next})
      if (f->allocated()) *f = Field<float>(f->layout());
  operator_.prepare(exec, domain, weights, screen, held);
  if (preconditioner_ == Preconditioner::multigrid)
    multigrid_.prepare(exec, operator_);
  else
    cholesky_.factors = MicPreconditioner(exec, operator_);
  null_space_ = NullSpace(exec, operator_);
}

SolveReport PoissonSolver::solve(const Exec& exec, const SolveOptions& options, Field<double>& b, Field<double>& x) {
  const Box& cells = operator_.domain().cells;
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
      for_each_cell(exec, "pcg.clear", x.layout().storage(), Clear{x.write(exec)});
    for_each_cell(exec, "pcg.copy", cells, Copy{std::as_const(b).read(exec), r_.update(exec)});
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
    report.iterations += iterate(exec, 0.9 * stop, options.max_iterations - report.iterations, norm2, x);
    norm2 = operator_.residual_norm2(exec, x, b);
  }
  if (!(norm2 <= sum)) norm2 = start_from_zero();
  report.residual = std::sqrt(norm2) / b_norm;
  report.converged = done();
  return report;
}

int PoissonSolver::iterate(const Exec& exec, double stop, int most, double norm2, Field<double>& x) {
  const bool multigrid = preconditioner_ == Preconditioner::multigrid;
  Field<float>& z = multigrid ? multigrid_.correction() : cholesky_.z;
  Field<float>& next = multigrid ? multigrid_.scratch() : cholesky_.next;
  if (multigrid) {
    multigrid_.set_right_side(exec, r_);
    multigrid_.start_cycle(exec);
  }
  double rz_before = 0, least = norm2;
  int iterations = 0;
  for (; iterations < most && std::sqrt(norm2) > stop; ++iterations) {
    least = std::min(least, norm2);
    if (norm2 > runaway * least) break;
    const double rz = multigrid ? multigrid_.finish_cycle(exec) : apply_cholesky(exec);
    const float beta = iterations == 0 ? 0.0f : float(rz / rz_before);
    const double s_as = operator_.next_direction(exec, z, beta, s_, next);
    std::swap(s_, next);
    if (!(s_as > 0) || !std::isfinite(rz)) break;  // breakdown: x is still the best so far
    norm2 = advance(exec, rz / s_as, x);
    rz_before = rz;
  }
  return iterations;
}

/// z ~ A^-1 r; returns r . z.
double PoissonSolver::apply_cholesky(const Exec& exec) {
  cholesky_.factors.apply(exec, r_, cholesky_.z);
  return reduce<Sum>(exec, "pcg.dot", operator_.domain().cells, Dot{r_.read(exec), cholesky_.z.read(exec)});
}

/// The step along s_; returns |r|^2. Multigrid begins its next cycle in the same wave, with the new residual still in
/// the cache: after the last step that is lost, but the passes through memory it saves are worth more.
double PoissonSolver::advance(const Exec& exec, double alpha, Field<double>& x) {
  const bool multigrid = preconditioner_ == Preconditioner::multigrid;
  const Box& cells = operator_.domain().cells;
  RowTotals<Sum> norm2(cells);
  Wave wave(exec, cells);
  operator_.advance(exec, alpha, s_, x, r_, multigrid ? multigrid_.right_side() : cholesky_.narrow, norm2, wave);
  if (multigrid)
    multigrid_.start_cycle(exec, std::move(wave));
  else
    wave.run();
  return norm2.total();
}

}  // namespace silt

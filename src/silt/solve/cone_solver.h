#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <utility>

#include "silt/solve/cone_kernels.h"
#include "silt/solve/cone_report.h"

namespace silt {

/// A quadratic form 1/2 x.Ax - b.x with a cone for each block of its unknowns: it makes vectors, loops over blocks and
/// applies A, which is symmetric and not negative. See solve/cone_kernels.h for `Blocks`.
///   scaled_norm()  an estimate of the norm of D^-1/2 A D^-1/2, D the metric of the blocks; too small is found out
template <class F>
concept ConeForm = requires(F& form, typename F::Vector& x, typename F::Vector& r) {
  { form.make() } -> std::same_as<typename F::Vector>;
  { form.blocks() } -> std::same_as<typename F::Blocks>;
  { form.scaled_norm() } -> std::same_as<double>;
  {form.residual(x, r)};
};

/// A solver of its own for any such form; sand has one that knows its strains (solve/grain_solver.h), and uses this in
/// no step. `silt validate qp` holds it against interior points.
///
/// Minimises 1/2 x.Ax - b.x over second-order cones: accelerated projected gradients, the acceleration dropped when it
/// leads uphill.
///   [BT09]  Beck & Teboulle 2009, A fast iterative shrinkage-thresholding algorithm
///   [OC15]  O'Donoghue & Candes 2015, Adaptive restart for accelerated gradient schemes
/// One application of A an iteration: the residual at the extrapolated point is extrapolated too.
template <ConeForm Form>
class ConeSolver {
  using Vector = typename Form::Vector;

 public:
  explicit ConeSolver(Form& form)
      : before_(form.make()), next_(form.make()), r_(form.make()), r_before_(form.make()), r_next_(form.make()) {}

  /// `x` holds a first guess and receives the answer, always in its cones and never a NaN.
  ConeReport solve(Form& form, const ConeOptions& options, Vector& x);

 private:
  double gradient(Form& form, const Vector& x, const Vector& r) const {
    return std::sqrt(form.template reduce<Sum>(
        "cones.gradient", cones::Gradient<Form>{step_, form.blocks(), form.read(x), form.read(r)}));
  }
  bool endless(Form& form, const Several<6>& sums, const Vector& x) const;
  void iterate(Form& form, const ConeOptions& options, double stop, Vector& x, ConeReport& report);

  Vector before_, next_, r_, r_before_, r_next_;
  double step_ = 1, left_ = 0;
};

template <ConeForm Form>
ConeReport ConeSolver<Form>::solve(Form& form, const ConeOptions& options, Vector& x) {
  using namespace cones;
  ConeReport report;
  const double norm = form.scaled_norm();
  step_ = norm > 0 ? 1 / norm : 1;
  form.each("cones.nearest", Project<Form>{form.blocks(), form.update(next_), true});
  form.residual(next_, r_next_);
  const double scale =
      std::sqrt(form.template reduce<Sum>("cones.norm", SquareNorm<Form>{form.blocks(), form.read(r_next_)}));
  if (!std::isfinite(scale)) {
    std::swap(x, next_);
    report.kkt = 1;
    return report;
  }
  form.each("cones.project", Project<Form>{form.blocks(), form.update(x), false});
  form.residual(x, r_);
  left_ = gradient(form, x, r_);
  if (!std::isfinite(left_)) {  // a guess that is good for nothing
    std::swap(x, next_);
    std::swap(r_, r_next_);
    left_ = gradient(form, x, r_);
  }
  iterate(form, options, options.tolerance * scale, x, report);
  report.converged = left_ <= options.tolerance * scale && !report.infeasible;
  report.kkt = scale > 0 ? left_ / scale : 0;
  const Several<3> counts =
      form.template reduce<Each<Sum, Sum, Sum>>("cones.count", Count<Form>{form.blocks(), form.read(x)});
  report.inside = std::int64_t(counts[0]), report.on_side = std::int64_t(counts[1]);
  report.at_apex = std::int64_t(counts[2]);
  return report;
}

template <ConeForm Form>
void ConeSolver<Form>::iterate(Form& form, const ConeOptions& options, double stop, Vector& x, ConeReport& report) {
  using namespace cones;
  double theta = 1, beta = 0;
  for (; report.iterations < options.max_iterations && left_ > stop; ++report.iterations) {
    form.each("cones.step", Step<Form>{beta, step_, form.blocks(), form.read(x), form.read(beta == 0 ? x : before_),
                                       form.read(r_), form.read(beta == 0 ? r_ : r_before_), form.write(next_)});
    form.residual(next_, r_next_);
    const Several<6> sums = form.template reduce<Each<Sum, Sum, Sum, Sum, Sum, Sum>>(
        "cones.judge",
        Judge<Form>{beta, form.blocks(), form.read(x), form.read(beta == 0 ? x : before_), form.read(next_),
                    form.read(r_), form.read(beta == 0 ? r_ : r_before_), form.read(r_next_)});
    if (!std::isfinite(sums[0]) || !std::isfinite(sums[4])) break;
    if (sums[0] * step_ > sums[1] * (1 + 1e-9)) {  // A is larger than it was taken for
      step_ = std::min(0.9 * sums[1] / sums[0], 0.5 * step_);
      ++report.shortened;
      continue;
    }
    if (beta != 0 && sums[2] > 0) {  // uphill: the same step again from x itself
      beta = 0, theta = 1;
      ++report.restarts;
      continue;
    }
    if (endless(form, sums, x)) {
      report.infeasible = true;
      break;
    }
    std::swap(before_, x);  // before <- x <- next
    std::swap(x, next_);
    std::swap(r_before_, r_);
    std::swap(r_, r_next_);
    const double theta_next = 0.5 * (1 + std::sqrt(1 + 4 * theta * theta));
    beta = (theta - 1) / theta_next;
    theta = theta_next;
    left_ = gradient(form, x, r_);
  }
}

/// Whether next - x is a direction that A does not resist, b pushes along, and no cone ends.
template <ConeForm Form>
bool ConeSolver<Form>::endless(Form& form, const Several<6>& sums, const Vector& x) const {
  constexpr double flat = 1e-13;
  const double bend = sums[3], size = sums[4], along = sums[5];
  if (!(size > 0) || !(along > 0) || bend * step_ > flat * size) return false;
  const double off = form.template reduce<Sum>(
      "cones.recession", cones::LeavesRecession<Form>{form.blocks(), form.read(x), form.read(next_)});
  return off <= flat * size;
}

}  // namespace silt

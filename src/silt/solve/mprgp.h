#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <utility>

#include "silt/solve/bounded_report.h"
#include "silt/solve/mprgp_kernels.h"

namespace silt {

/// A quadratic form 1/2 x.Ax - b.x with bounds, as MPRGP sees it: it makes vectors, loops over them, and applies A and
/// a preconditioner. A is symmetric and not negative; a row with diagonal 0 is left out.
///   Real          what directions are stored in; x and residuals are double
///   View<T>       indexed as view(i) by the indices its loops hand over
///   bounds()      .lower(i), .upper(i): infinite where there is none
///   scaled_norm() at least the norm of D^-1/2 A D^-1/2, D the diagonal of A
///   precondition  z ~ A_FF^-1 r_F on the face F of all that is not `fixed`, symmetric and positive; what r is off the
///                 face must not matter, what z is there does not if it is finite. `moved`: the face is not that of the
///                 last call
template <class F>
concept BoundedForm = requires(F& form, typename F::template Vector<double>& x,
                               const typename F::template Vector<double>& r,
                               typename F::template Vector<typename F::Real>& p,
                               const typename F::template Vector<unsigned char>& fixed, bool moved) {
  { form.template make<double>() } -> std::same_as<typename F::template Vector<double>>;
  { form.bounds() } -> std::same_as<typename F::Bounds>;
  { form.diagonal() } -> std::same_as<typename F::template View<const typename F::Real>>;
  { form.scaled_norm() } -> std::same_as<double>;
  {form.residual(x, x)};
  { form.apply(p, x) } -> std::same_as<double>;
  {form.precondition(r, fixed, moved, p)};
  { form.read(r) } -> std::same_as<typename F::template View<const double>>;
};

/// Minimises 1/2 x.Ax - b.x between bounds: modified proportioning with reduced gradient projections.
///   [DS05]  Dostal & Schoeberl 2005, Minimizing quadratic functions subject to bound constraints with the rate of
///           convergence and finite termination
///   [KHC20] Kruzik, Horak, Cermak, Pospisil & Pecha 2020: the step of conjugate gradients, projected, as the expansion
/// Written with the residual r = b - A x for minus the gradient, and in the metric of the diagonal of A: scaling each
/// unknown maps bounds to bounds, and makes the method deaf to weights of different size. A step that meets a bound is
/// projected and kept if the energy falls by what [DS05]'s own step would have been sure of; if not, that step is
/// taken: its rate of convergence holds for every path.
template <BoundedForm Form>
class Mprgp {
  using Real = typename Form::Real;
  using Doubles = typename Form::template Vector<double>;
  using Reals = typename Form::template Vector<Real>;
  using Flags = typename Form::template Vector<unsigned char>;

 public:
  explicit Mprgp(Form& form)
      : y_(form.template make<double>()),
        r_(form.template make<double>()),
        r_y_(form.template make<double>()),
        ap_(form.template make<double>()),
        p_(form.template make<Real>()),
        z_(form.template make<Real>()),
        fixed_(form.template make<unsigned char>()) {}

  /// `x` holds a first guess and receives the answer, always between the bounds and never a NaN.
  BoundedReport solve(Form& form, const BoundedOptions& options, Doubles& x);

 private:
  struct State {
    double gradient2 = 0;          ///< |projected gradient|^2
    double free = 0, chopped = 0;  ///< what a cut gradient step promises on the face, and off the bounds
  };
  struct Slope {
    double along = 0;  ///< r . p
    double size = 0;   ///< p . D p
  };

  void relax(Form& form, Doubles& x, BoundedReport& report);
  void iterate(Form& form, const BoundedOptions& options, double stop, Doubles& x, BoundedReport& report);
  void conjugate_or_expand(Form& form, Doubles& x, BoundedReport& report);
  void proportion(Form& form, Doubles& x, BoundedReport& report);
  double best_step(Form& form, const Slope& slope, const Doubles& x, BoundedReport& report);
  Several<4> advance(Form& form, double alpha, const Doubles& x);
  double fall_to_y(Form& form, const Doubles& x);
  bool move(Form& form, double promised, Doubles& x);
  void go_to_y(Form& form, Doubles& x);
  State sort(Form& form, const Doubles& x);

  Doubles y_, r_, r_y_, ap_;
  Reals p_, z_;
  Flags fixed_;
  State now_;
  double norm_ = 1, step_ = 1;
  double pap_ = 0;          ///< p . A p of the last direction
  bool conjugate_ = false;  ///< p is a direction to be conjugate to
  bool stuck_ = false;
};

template <BoundedForm Form>
BoundedReport Mprgp<Form>::solve(Form& form, const BoundedOptions& options, Doubles& x) {
  using namespace mprgp;
  BoundedReport report;
  norm_ = form.scaled_norm();
  step_ = norm_ > 0 ? 1 / norm_ : 1;
  form.each("mprgp.nearest", Nearest<Form>{form.bounds(), form.write(y_)});
  form.residual(y_, r_y_);
  const double scale =
      std::sqrt(form.template reduce<Sum>("mprgp.norm", SquareNorm<Form>{form.diagonal(), form.read(r_y_)}));
  if (!std::isfinite(scale)) {
    std::swap(x, y_);
    report.kkt = 1;
    return report;
  }
  form.each("mprgp.project", Project<Form>{form.bounds(), form.diagonal(), form.update(x)});
  form.residual(x, r_);
  if (!(fall_to_y(form, x) <= 0)) std::swap(x, y_);  // a guess worse than none
  // The recursion's residual drifts from the true one; when it says "done" and the truth does not, start from the
  // truth.
  const double stop = std::max(options.tolerance * scale, options.absolute);
  for (int pass = 0; pass < 4; ++pass) {
    form.residual(x, r_);
    now_ = sort(form, x);
    report.converged = std::sqrt(now_.gradient2) <= stop;
    if (report.converged || report.infeasible || report.iterations() >= options.max_iterations) break;
    if (pass == 0) relax(form, x, report);
    iterate(form, options, 0.9 * stop, x, report);
  }
  report.kkt = scale > 0 ? std::sqrt(now_.gradient2) / scale : 0;
  if (!std::isfinite(report.kkt)) report.kkt = 1;
  const Several<3> counts = form.template reduce<Each<Sum, Sum, Sum>>(
      "mprgp.count", Count<Form>{form.bounds(), form.diagonal(), form.read(x)});
  report.free = std::int64_t(counts[0]), report.at_lower = std::int64_t(counts[1]);
  report.at_upper = std::int64_t(counts[2]);
  return report;
}

/// Plain projected steps: what is short in the error, and wrong about which cells are held, goes for a third of the
/// cost of a step that follows.
template <BoundedForm Form>
void Mprgp<Form>::relax(Form& form, Doubles& x, BoundedReport& report) {
  constexpr int sweeps = 10;
  constexpr double length = 1.8;  // in units of 1 / |D^-1 A|: the energy falls with any below 2
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    form.each("mprgp.relax",
              mprgp::Relax<Form>{length * step_, form.bounds(), form.diagonal(), form.read(r_), form.update(x)});
    form.residual(x, r_);
  }
  now_ = sort(form, x);
  report.sweeps += sweeps;
}

template <BoundedForm Form>
void Mprgp<Form>::iterate(Form& form, const BoundedOptions& options, double stop, Doubles& x, BoundedReport& report) {
  conjugate_ = stuck_ = false;
  const double gamma2 = options.proportion * options.proportion;
  while (!(std::sqrt(now_.gradient2) <= stop) && !stuck_ && !report.infeasible &&
         report.iterations() < options.max_iterations) {
    if (now_.chopped <= gamma2 * now_.free)
      conjugate_or_expand(form, x, report);
    else
      proportion(form, x, report);
  }
}

/// One step on the face of free unknowns.
template <BoundedForm Form>
void Mprgp<Form>::conjugate_or_expand(Form& form, Doubles& x, BoundedReport& report) {
  using namespace mprgp;
  form.precondition(r_, fixed_, !conjugate_, z_);  // z = M_F^-1 phi
  const double beta =                              // p = z - (z . A p / p . A p) p
      conjugate_ ? -form.template reduce<Sum>("mprgp.dot", Dot<Form>{form.read(z_), form.read(ap_)}) / pap_ : 0;
  const Several<2> sums = form.template reduce<Each<Sum, Sum>>(
      "mprgp.direction", FaceDirection<Form>{Real(beta), form.diagonal(), form.read(z_), form.read(r_),
                                             form.read(fixed_), form.update(p_)});
  pap_ = form.apply(p_, ap_);
  const double alpha = best_step(form, {sums[0], sums[1]}, x, report);
  if (report.infeasible) return;
  if (alpha > 0) {
    const Several<4> to = advance(form, alpha, x);
    if (to[0] == 0 && std::isfinite(to[1])) {  // x + alpha p is inside: a step of conjugate gradients
      std::swap(x, y_);
      std::swap(r_, r_y_);
      now_ = {to[1], to[2], to[3]};
      conjugate_ = true;
      ++report.cg;
      return;
    }
  }
  conjugate_ = false;
  ++report.expansions;
  if (alpha > 0) {
    form.residual(y_, r_y_);
    if (move(form, 0.5 * step_ * now_.free, x)) return;
  } else {
    form.each("mprgp.forget", Forget<Form>{form.write(p_), form.write(ap_)});  // it may not even be finite
  }
  const double reach =
      alpha > 0 ? form.template reduce<Min>("mprgp.reach", Reach<Form>{form.bounds(), form.read(p_), form.read(x)}) : 0;
  form.each("mprgp.expand", Expand<Form>{std::min(alpha, reach), step_, form.bounds(), form.diagonal(), form.read(p_),
                                         form.read(x), form.read(r_), form.read(ap_), form.write(y_)});
  form.residual(y_, r_y_);
  stuck_ = !move(form, 0, x);
}

/// One step away from the bounds that hold nothing back.
template <BoundedForm Form>
void Mprgp<Form>::proportion(Form& form, Doubles& x, BoundedReport& report) {
  using namespace mprgp;
  conjugate_ = false;
  ++report.proportionings;
  const Several<2> sums = form.template reduce<Each<Sum, Sum>>(
      "mprgp.release",
      ReleaseDirection<Form>{form.bounds(), form.diagonal(), form.read(x), form.read(r_), form.write(p_)});
  pap_ = form.apply(p_, ap_);
  const double alpha = best_step(form, {sums[0], sums[1]}, x, report);
  if (report.infeasible) return;
  for (double length : {alpha, step_}) {  // the best one, or where far bounds spoil it, the sure one
    const bool inside = length > 0 && advance(form, length, x)[0] == 0;
    if (inside && length == alpha) return go_to_y(form, x);
    form.residual(y_, r_y_);
    if (move(form, length == step_ ? 0 : 0.5 * step_ * now_.chopped, x)) return;
  }
  stuck_ = true;
}

/// y = P(x + alpha p) and, if that is inside, its residual.
template <BoundedForm Form>
Several<4> Mprgp<Form>::advance(Form& form, double alpha, const Doubles& x) {
  return form.template reduce<Each<Sum, Sum, Sum, Sum>>("mprgp.advance", mprgp::Advance<Form>{alpha,
                                                                                              {step_},
                                                                                              form.bounds(),
                                                                                              form.diagonal(),
                                                                                              form.read(p_),
                                                                                              form.read(x),
                                                                                              form.read(r_),
                                                                                              form.read(ap_),
                                                                                              form.write(y_),
                                                                                              form.write(r_y_)});
}

/// The step to the minimum along p. Where A does not resist p at all: as far as the bounds allow, and if they do not
/// end it either there is no minimum. 0: p does not lead downhill.
template <BoundedForm Form>
double Mprgp<Form>::best_step(Form& form, const Slope& slope, const Doubles& x, BoundedReport& report) {
  using namespace mprgp;
  constexpr double flat = 1e-14;
  if (!(slope.along > 0) || !std::isfinite(slope.along) || !std::isfinite(pap_)) return 0;
  if (pap_ > flat * norm_ * slope.size) return slope.along / pap_;
  const double reach =
      form.template reduce<Min>("mprgp.reach", Reach<Form>{form.bounds(), form.read(p_), form.read(x)});
  report.infeasible = reach == Min::identity;
  return reach;
}

/// By how much y's energy is below x's.
template <BoundedForm Form>
double Mprgp<Form>::fall_to_y(Form& form, const Doubles& x) {
  return form.template reduce<Sum>("mprgp.decrease",
                                   mprgp::Decrease<Form>{form.read(x), form.read(y_), form.read(r_), form.read(r_y_)});
}

/// Goes to y, whose residual is r_y, if the energy falls by what was promised.
template <BoundedForm Form>
bool Mprgp<Form>::move(Form& form, double promised, Doubles& x) {
  const double fall = fall_to_y(form, x);
  if (!(fall > 0) || !(fall >= promised) || !std::isfinite(fall)) return false;
  go_to_y(form, x);
  return true;
}

template <BoundedForm Form>
void Mprgp<Form>::go_to_y(Form& form, Doubles& x) {
  std::swap(x, y_);
  std::swap(r_, r_y_);
  now_ = sort(form, x);
}

template <BoundedForm Form>
typename Mprgp<Form>::State Mprgp<Form>::sort(Form& form, const Doubles& x) {
  using namespace mprgp;
  form.each("mprgp.mark", MarkFixed<Form>{form.bounds(), form.diagonal(), form.read(x), form.update(fixed_)});
  const Several<3> sums = form.template reduce<Each<Sum, Sum, Sum>>(
      "mprgp.promises", Promises<Form>{{1 / step_}, form.bounds(), form.diagonal(), form.read(x), form.read(r_)});
  return {sums[0], sums[1], sums[2]};
}

}  // namespace silt

#include "silt/solve/bounded_solver.h"

#include <cmath>
#include <limits>
#include <optional>

#include "silt/core/error.h"
#include "silt/core/loops.h"
#include "silt/core/text.h"
#include "silt/fields/cell_at.h"
#include "silt/fields/halo.h"
#include "silt/solve/coarser_problem.h"
#include "silt/solve/mprgp.h"

namespace silt {

namespace {

/// The same bounds in all cells, or one in each: kernels are built for both.
struct SameBounds {
  double low, high;
  SILT_HD double lower(Cell) const { return low; }
  SILT_HD double upper(Cell) const { return high; }
};
struct FieldBounds {
  View<const double> low, high;
  SILT_HD double lower(Cell c) const { return low(c); }
  SILT_HD double upper(Cell c) const { return high(c); }
};

/// The weighted Laplacian on fields as MPRGP's form.
template <class BoundsKind>
class PoissonForm {
 public:
  using Real = float;
  template <class T>
  using Vector = Field<T>;
  template <class T>
  using View = silt::View<T>;
  using Bounds = BoundsKind;

  PoissonForm(const Exec& exec, const PoissonOperator& op, FacePreconditioner& preconditioner, const Bounds& bounds,
              const Field<double>& b)
      : exec_(exec), op_(op), preconditioner_(preconditioner), b_(b), bounds_(bounds) {}

  template <class T>
  Field<T> make() const {
    return Field<T>(op_.layout());
  }
  template <class T>
  View<const T> read(const Field<T>& f) const {
    return f.read(exec_);
  }
  template <class T>
  View<T> write(Field<T>& f) const {
    return f.write(exec_);
  }
  template <class T>
  View<T> update(Field<T>& f) const {
    return f.update(exec_);
  }
  Bounds bounds() const { return bounds_; }
  View<const float> diagonal() const { return op_.diagonal().read(exec_); }

  template <class Kernel>
  void each(const char* name, const Kernel& kernel) const {
    for_each_cell(exec_, name, op_.domain().cells, kernel);
  }
  template <class Op, class Kernel>
  typename detail::Reduction<Op>::Value reduce(const char* name, const Kernel& kernel) const {
    return silt::reduce<Op>(exec_, name, op_.domain().cells, kernel);
  }

  /// Row sums of D^-1 A: what is off the diagonal adds up to no more than the diagonal.
  double scaled_norm() const { return 2; }
  void residual(Field<double>& x, Field<double>& r) const { op_.residual(exec_, x, b_, r); }
  double apply(Field<float>& p, Field<double>& ap) const { return op_.apply(exec_, p, ap); }
  void precondition(const Field<double>& r, const Field<unsigned char>& fixed, bool moved, Field<float>& z) const {
    preconditioner_.apply(exec_, r, fixed, moved, z);
  }

 private:
  const Exec& exec_;
  const PoissonOperator& op_;
  FacePreconditioner& preconditioner_;
  const Field<double>& b_;
  Bounds bounds_;
};

/// Whether some cell of a closed part has a bound on the side its push leads to.
bool held(const std::vector<int>& part, const Field<double>* field, double all) {
  if (!field) return std::isfinite(all);
  const double* bound = field->values().host();
  for (int n : part)
    if (std::isfinite(bound[n])) return true;
  return false;
}

/// Closed parts that b pushes at and nothing holds: takes their means off b, and keeps the worst.
void take_off_unheld(const NullSpace& parts, const CellBounds& bounds, Field<double>& b, BoundedReport& report) {
  constexpr double rounding = 1e-12;
  for (int p = 0; p < parts.components(); ++p) {
    const std::vector<int> part = parts.component(p);
    double push = 0, size = 0;
    const double* value = std::as_const(b).values().host();
    for (int n : part) push += value[n], size += std::abs(value[n]);
    if (push == 0 ||
        (push > 0 ? held(part, bounds.upper_field, bounds.upper) : held(part, bounds.lower_field, bounds.lower)))
      continue;
    double* change = b.values().host();
    for (int n : part) change[n] -= push / double(part.size());
    if (!(std::abs(push) > rounding * size)) continue;
    report.infeasible = true;
    if (std::abs(push) > std::abs(report.unheld.push))
      report.unheld = {cell_at(b.layout(), part.front()), std::int64_t(part.size()), push};
  }
}

/// Throws where there is nothing between two bounds; a NaN is no bound either.
void check(double lower, double upper) {
  constexpr double none = std::numeric_limits<double>::infinity();
  if (!(lower <= upper) || lower == none || upper == -none)
    throw InputError(str("nothing lies between the bounds ", lower, " and ", upper));
}

void check(const CellBounds& bounds, const Layout& layout, const Box& cells) {
  if (!bounds.lower_field && !bounds.upper_field) return check(bounds.lower, bounds.upper);
  const double* lower = bounds.lower_field ? bounds.lower_field->values().host() : nullptr;
  const double* upper = bounds.upper_field ? bounds.upper_field->values().host() : nullptr;
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y)
      for (int x = cells.lo.x, i = layout.index(x, y, z); x < cells.hi.x; ++x, ++i)
        check(lower ? lower[i] : bounds.lower, upper ? upper[i] : bounds.upper);
}

double nearest_to_zero(const CellBounds& bounds) {
  return mprgp::clamp(0, bounds.lower, bounds.upper);
}

struct Fill {
  double value;
  View<double> x;
  SILT_HD void operator()(Cell c) const { x(c) = value; }
};

struct FarFromNearest {
  double nearest;
  View<const double> x;
  SILT_HD double operator()(Cell c) const { return std::abs(x(c) - nearest); }
};

/// Whether x is no guess at all: what is nearest to zero, everywhere.
bool is_cold(const Exec& exec, const CellBounds& bounds, const Field<double>& x, const Cells& cells) {
  if (bounds.lower_field || bounds.upper_field) return false;
  return !(reduce<Max>(exec, "bounded.cold", cells, FarFromNearest{nearest_to_zero(bounds), x.read(exec)}) > 0);
}

}  // namespace

struct BoundedSolver::Work {
  Layout layout;
  CoarserProblem coarser;
  std::unique_ptr<BoundedSolver> coarser_solver;
  bool coarser_ready = false;
  std::optional<Mprgp<PoissonForm<SameBounds>>> same;
  std::optional<Mprgp<PoissonForm<FieldBounds>>> fields;
};

BoundedSolver::BoundedSolver() : work_(std::make_unique<Work>()) {}
BoundedSolver::~BoundedSolver() = default;

void BoundedSolver::take(const Exec& exec, const Domain& domain, const MacField<float>& weights,
                         const Field<float>* screen) {
  operator_.prepare(exec, domain, weights, screen);
  preconditioner_.prepare(operator_);
  work_->coarser_ready = false;
}

void BoundedSolver::prepare(const Exec& exec, const Domain& domain, const MacField<float>& weights,
                            const Field<float>* screen) {
  take(exec, domain, weights, screen);
  null_space_ = NullSpace(exec, operator_);
}

/// A first guess from the same problem on a coarser lattice, which gets its own from a still coarser one.
void BoundedSolver::start_coarsely(const Exec& exec, const BoundedOptions& options, const CellBounds& bounds,
                                   const Field<double>& b, Field<double>& x) {
  if (!CoarserProblem::exists(operator_.domain())) return;
  if (!work_->coarser_solver) work_->coarser_solver = std::make_unique<BoundedSolver>();
  CoarserProblem& coarser = work_->coarser;
  if (!work_->coarser_ready) {
    coarser.prepare(exec, operator_);
    work_->coarser_solver->take(exec, coarser.domain(), coarser.weights(), coarser.screen());
    work_->coarser_ready = true;
  }
  BoundedOptions roughly = options;
  roughly.tolerance = std::max(options.tolerance, 3e-3);  // what a finer lattice changes anyway
  roughly.max_iterations = std::min(options.max_iterations, 40);
  Field<double>& coarse_b = coarser.take_right_side(exec, b);
  for_each_cell(exec, "bounded.cool", coarser.domain().cells, Fill{nearest_to_zero(bounds), coarser.x().update(exec)});
  work_->coarser_solver->solve(exec, roughly, bounds, coarse_b, coarser.x());
  coarser.interpolate(exec, operator_.domain().cells, x);
}

BoundedReport BoundedSolver::solve(const Exec& exec, const BoundedOptions& options, const CellBounds& bounds,
                                   Field<double>& b, Field<double>& x) {
  check(bounds, operator_.layout(), operator_.domain().cells);
  BoundedReport found;  // what is known before any step
  null_space_.clear_rows(b);
  take_off_unheld(null_space_, bounds, b, found);
  preconditioner_.choose(options.preconditioner);
  if (work_->layout != operator_.layout()) {
    *work_ = Work();
    work_->layout = operator_.layout();
  }
  if (is_cold(exec, bounds, x, operator_.domain().cells)) start_coarsely(exec, options, bounds, b, x);
  const auto run = [&](const auto& kernel_bounds, auto& mprgp) {
    PoissonForm form(exec, operator_, preconditioner_, kernel_bounds, b);
    if (!mprgp) mprgp.emplace(form);
    return mprgp->solve(form, options, x);
  };
  BoundedReport report;
  if (!bounds.lower_field && !bounds.upper_field) {
    report = run(SameBounds{bounds.lower, bounds.upper}, work_->same);
  } else {
    const auto field_of = [&](const Field<double>* given, double all) {
      if (given) return *given;
      Field<double> field(operator_.layout());
      std::fill_n(field.values().host(), field.values().size(), all);
      return field;
    };
    const Field<double> low = field_of(bounds.lower_field, bounds.lower),
                        high = field_of(bounds.upper_field, bounds.upper);
    report = run(FieldBounds{low.read(exec), high.read(exec)}, work_->fields);
  }
  fill_halo(exec, operator_.domain(), operator_.domain().cells, {.open_repeats = false, .open_value = 0}, x);
  report.infeasible = report.infeasible || found.infeasible;
  report.preconditioners = preconditioner_.made();
  report.preconditioner = preconditioner_.method();
  report.unheld = found.unheld;
  report.converged = report.converged && !report.infeasible;
  return report;
}

}  // namespace silt

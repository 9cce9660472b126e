#include "silt/solve/bounded_solver.h"

#include <cmath>
#include <optional>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/solve/mprgp.h"

namespace silt {

namespace {

/// The weighted Laplacian on fields as MPRGP's form.
class PoissonForm {
 public:
  using Real = float;
  template <class T>
  using Vector = Field<T>;
  template <class T>
  using View = silt::View<T>;
  struct Bounds {
    View<const double> low, high;  ///< data = nullptr: the number instead
    double all_low, all_high;
    SILT_HD double lower(Cell c) const { return low.data ? low(c) : all_low; }
    SILT_HD double upper(Cell c) const { return high.data ? high(c) : all_high; }
  };

  PoissonForm(const Exec& exec, const PoissonOperator& op, FacePreconditioner& preconditioner, const CellBounds& bounds,
              const Field<double>& b)
      : exec_(exec), op_(op), preconditioner_(preconditioner), b_(b) {
    bounds_ = {bounds.lower_field ? bounds.lower_field->read(exec) : View<const double>{},
               bounds.upper_field ? bounds.upper_field->read(exec) : View<const double>{}, bounds.lower, bounds.upper};
  }

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

Cell cell_at(const Layout& layout, int index) {
  const Int3 n = layout.storage().size();
  const Int3 lo = layout.storage().lo;
  return lo + Int3{index % n.x, layout.active.y ? index / n.x % n.y : 0, layout.active.z ? index / (n.x * n.y) : 0};
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

}  // namespace

struct BoundedSolver::Work {
  Layout layout;
  std::optional<Mprgp<PoissonForm>> mprgp;
};

BoundedSolver::BoundedSolver() : work_(std::make_unique<Work>()) {}
BoundedSolver::~BoundedSolver() = default;

void BoundedSolver::prepare(const Exec& exec, const Domain& domain, const MacField<float>& weights,
                            const Field<float>* screen) {
  operator_ = PoissonOperator(exec, domain, weights, screen);
  preconditioner_.prepare(operator_);
  null_space_ = screen ? NullSpace() : NullSpace(exec, operator_);
}

BoundedReport BoundedSolver::solve(const Exec& exec, const BoundedOptions& options, const CellBounds& bounds,
                                   Field<double>& b, Field<double>& x) {
  BoundedReport found;  // what is known before any step
  take_off_unheld(null_space_, bounds, b, found);
  PoissonForm form(exec, operator_, preconditioner_, bounds, b);
  if (!work_->mprgp || work_->layout != operator_.layout()) {
    work_->mprgp.emplace(form);
    work_->layout = operator_.layout();
  }
  BoundedReport report = work_->mprgp->solve(form, options, x);
  fill_halo(exec, operator_.domain(), operator_.domain().cells, {.open_repeats = false, .open_value = 0}, x);
  report.infeasible = report.infeasible || found.infeasible;
  report.unheld = found.unheld;
  report.converged = report.converged && !report.infeasible;
  return report;
}

}  // namespace silt

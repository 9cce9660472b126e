#include "silt/solve/stress_solver.h"

#include <optional>

#include "silt/core/loops.h"
#include "silt/solve/cone_solver.h"
#include "silt/solve/stress_operator.h"

namespace silt {

namespace {

/// The stress of grains as ConeSolver's form.
class StressForm {
 public:
  using Vector = StressField;
  template <class T>
  using View = StressView<T>;

  struct Blocks {
    int size;
    silt::View<const float> friction, cohesion;
    silt::View<const double> metrics;

    SILT_HD Cone cone(Cell c) const {
      const float mu = friction(c);
      return {mu > 0 ? mu : 1, cohesion.data ? cohesion(c) : 0};
    }
    SILT_HD double metric(Cell c) const { return metrics(c); }
    SILT_HD bool exists(Cell c) const { return friction(c) > 0; }
    /// Zero where there are no grains.
    SILT_HD ConeBlock load(StressView<const double> v, Cell c) const {
      const int n = v.index(c);
      ConeBlock b{.size = size};
      const bool grains = friction.data[n] > 0;
      for (int k = 0; k < size; ++k) b.v[k] = grains ? v.part[k][n] : 0.0;
      return b;
    }
    SILT_HD void store(StressView<double> v, Cell c, const ConeBlock& b) const {
      const int n = v.index(c);
      for (int k = 0; k < size; ++k) v.part[k][n] = b.v[k];
    }
  };

  StressForm(const Exec& exec, StressOperator& op, const StressField& b) : exec_(exec), op_(op), b_(b) {}

  StressField make() const { return StressField(op_.layout()); }
  View<const double> read(const StressField& v) const { return v.read(exec_); }
  View<double> write(StressField& v) const { return v.update(exec_); }  // what is beyond the cells stays zero
  View<double> update(StressField& v) const { return v.update(exec_); }
  Blocks blocks() const {
    const StressParts& parts = op_.parts();
    return {b_.size(), parts.friction->read(exec_),
            parts.cohesion ? parts.cohesion->read(exec_) : silt::View<const float>{}, op_.metric().read(exec_)};
  }

  template <class Kernel>
  void each(const char* name, const Kernel& kernel) const {
    for_each_cell(exec_, name, op_.cells(), kernel);
  }
  template <class Op, class Kernel>
  typename detail::Reduction<Op>::Value reduce(const char* name, const Kernel& kernel) const {
    return silt::reduce<Op>(exec_, name, op_.cells(), kernel);
  }

  /// That of the pressures alone, d^T * d; the solver finds out when shears add to it.
  double scaled_norm() const { return 2; }
  void residual(StressField& x, StressField& r) const { op_.residual(exec_, x, b_, r); }

 private:
  const Exec& exec_;
  StressOperator& op_;
  const StressField& b_;
};

}  // namespace

struct StressSolver::Work {
  StressOperator op;
  std::optional<ConeSolver<StressForm>> cones;
};

StressSolver::StressSolver() : work_(std::make_unique<Work>()) {}
StressSolver::~StressSolver() = default;

void StressSolver::prepare(const Exec& exec, const Domain& domain, const StressParts& parts) {
  const bool fits =
      work_->cones && work_->op.layout() == parts.friction->layout() && work_->op.domain().cells == domain.cells;
  if (!fits) work_->cones.reset();
  work_->op.prepare(exec, domain, parts);
}

ConeReport StressSolver::solve(const Exec& exec, const ConeOptions& options, const StressField& b, StressField& x) {
  StressForm form(exec, work_->op, b);
  if (!work_->cones) work_->cones.emplace(form);
  work_->op.clear(exec, x);
  return work_->cones->solve(form, options, x);
}

void StressSolver::strain(const Exec& exec, const MacField<double>& u, StressField& b) const {
  work_->op.strain(exec, u, b);
}

void StressSolver::push(const Exec& exec, StressField& x, MacField<double>& u) {
  work_->op.push(exec, x, u);
}

}  // namespace silt

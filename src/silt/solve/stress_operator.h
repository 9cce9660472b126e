#pragma once

#include "silt/fields/domain.h"
#include "silt/solve/stress_solver.h"

namespace silt {

/// A = D M^-1 D^T of StressSolver, and D by itself.
class StressOperator {
 public:
  void prepare(const Exec& exec, const Domain& domain, const StressParts& parts);

  const Layout& layout() const { return metric_.layout(); }
  const Domain& domain() const { return domain_; }
  const Box& cells() const { return reach_.cells; }  ///< the smallest box that holds all grains
  const StressParts& parts() const { return parts_; }
  /// The largest entry of A's diagonal in each block; 1 where there is none.
  const Field<double>& metric() const { return metric_; }

  /// x = 0 where there are no grains.
  void clear(const Exec& exec, StressField& x) const;
  /// out = b - A x in cells with grains; elsewhere x must be zero. Fills x's halo.
  void residual(const Exec& exec, StressField& x, const StressField& b, StressField& out);
  /// out = D u in cells with grains.
  void strain(const Exec& exec, const MacField<double>& u, StressField& out);
  /// u -= M^-1 D^T x. Fills x's halo.
  void push(const Exec& exec, StressField& x, MacField<double>& u);

 private:
  void find_reach(const Exec& exec);
  void wrap(const Exec& exec, const Box& box, Field<double>& field) const;
  void force(const Exec& exec, StressField& x);
  void edge_rates(const Exec& exec, const MacField<double>& u);
  void add_strain(const Exec& exec, const MacField<double>& u, double factor, const StressView<const double>& b,
                  StressField& out);

  Domain domain_, reach_;  ///< reach: that part of the domain where there are grains; all loops are there
  StressParts parts_;
  MacField<float> carries_;  ///< 1 on edges that carry shear, else 0
  Field<double> metric_;
  MacField<double> edge_, face_;  ///< shears on edges; M^-1 D^T x on faces
};

}  // namespace silt

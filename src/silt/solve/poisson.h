#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// The weighted Laplacian d^T * d on the cubical complex, matrix-free:
///   (A x)_c = sum over faces f of cell c of  w_f (x_c - x_neighbour).
/// The diagonal Hodge star w carries the geometry: open fractions now; ghost-fluid lengths, porosity and density later.
/// Walls are w = 0; beyond open sides x = 0; periodic sides wrap. Rows without any weight are left out: x = 0 there.
class PoissonOperator {
 public:
  PoissonOperator() = default;
  PoissonOperator(const Exec& exec, const Domain& domain, const MacField<float>& weights);

  const Domain& domain() const { return domain_; }
  const MacField<float>& weights() const { return *weights_; }
  const Field<float>& diagonal() const { return diagonal_; }
  const Layout& layout() const { return diagonal_.layout(); }

  /// out = A x; returns x . A x. Fills x's halo.
  double apply(const Exec& exec, Field<float>& x, Field<double>& out) const;
  /// out = b - A x; returns |out|^2. Fills x's halo.
  double residual(const Exec& exec, Field<double>& x, const Field<double>& b, Field<double>& out) const;

 private:
  Domain domain_;
  const MacField<float>* weights_ = nullptr;  ///< the caller keeps them while the operator is used
  Field<float> diagonal_;
};

}  // namespace silt

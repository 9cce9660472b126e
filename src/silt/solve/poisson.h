#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// The weighted Laplacian d^T * d on the cubical complex, matrix-free, with an optional screening term:
///   (A x)_c = k_c x_c + sum over faces f of cell c of  w_f (x_c - x_neighbour).
/// The diagonal Hodge star w carries the geometry: open fractions now; ghost-fluid lengths, porosity and density later.
/// The screen k >= 0 is what ties a value to something known: inertia in implicit diffusion, a wall of given velocity.
/// Walls are w = 0; beyond open sides x = 0; periodic sides wrap. Rows without any weight are left out: x = 0 there.
class PoissonOperator {
 public:
  PoissonOperator() = default;
  /// `screen` may be nullptr: none. The caller keeps weights and screen while the operator is used.
  PoissonOperator(const Exec& exec, const Domain& domain, const MacField<float>& weights,
                  const Field<float>* screen = nullptr);

  const Domain& domain() const { return domain_; }
  const MacField<float>& weights() const { return *weights_; }
  const Field<float>& diagonal() const { return diagonal_; }
  bool screened() const { return screen_ != nullptr; }
  const Layout& layout() const { return diagonal_.layout(); }

  /// out = A x; returns x . A x. Fills x's halo.
  double apply(const Exec& exec, Field<float>& x, Field<double>& out) const;
  /// out = b - A x; returns |out|^2. Fills x's halo.
  double residual(const Exec& exec, Field<double>& x, const Field<double>& b, Field<double>& out) const;

 private:
  Domain domain_;
  const MacField<float>* weights_ = nullptr;
  const Field<float>* screen_ = nullptr;
  Field<float> diagonal_;
};

}  // namespace silt

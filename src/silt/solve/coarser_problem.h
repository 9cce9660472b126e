#pragma once

#include "silt/fields/used_rows.h"
#include "silt/solve/poisson.h"

namespace silt {

/// The bounded problem of the weighted Laplacian on a lattice twice as coarse, for a first guess: a coarse cell is a
/// pair of cells along every axis, takes the sum of their right-hand sides, and is coupled by half the sum of their
/// faces (the distance is twice as long). Bounds that are fields are not carried over: the guess is cut at them later.
class CoarserProblem {
 public:
  /// Whether every axis can be halved, and is worth it.
  static bool exists(const Domain& domain);

  void prepare(const Exec& exec, const PoissonOperator& fine);
  const Domain& domain() const { return domain_; }
  const MacField<float>& weights() const { return weights_; }
  const Field<float>* screen() const { return screened_ ? &screen_ : nullptr; }

  /// The right-hand side, to be changed as one likes.
  Field<double>& take_right_side(const Exec& exec, const Field<double>& fine);
  Field<double>& x() { return x_; }
  /// Linear between the centres of coarse cells; x's halo must be filled.
  void interpolate(const Exec& exec, const Cells& cells, Field<double>& fine) const;

 private:
  Domain domain_;
  RowSpans rows_;  ///< of its cells, where those of the fine lattice have some
  UsedRows used_;
  bool screened_ = false;
  MacField<float> weights_;
  Field<float> screen_;
  Field<double> b_, x_;
};

}  // namespace silt

#pragma once

#include "silt/solve/poisson.h"

namespace silt {

/// A few damped steps of Jacobi's with Chebyshev's lengths, from zero: a preconditioner that is made in no time and
/// vectorises, for faces so riddled with held cells that D^-1 A has no small eigenvalues.
class DampedSteps {
 public:
  /// z = q(D^-1 A) D^-1 r on the cells that are not `fixed`, 0 on those that are. Symmetric and positive.
  void apply(const Exec& exec, const PoissonOperator& op, const Field<unsigned char>& fixed, const Field<double>& r,
             Field<float>& z);

 private:
  Field<double> az_;
};

}  // namespace silt

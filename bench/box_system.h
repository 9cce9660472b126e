#pragma once

#include <vector>

#include "bench/peers/box_problem.h"
#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt::bench {

/// The problem as silt has it.
struct BoxSystem {
  explicit BoxSystem(const Exec& exec, const BoxProblem& problem);

  BoxProblem box;
  Domain domain;
  Layout layout;
  MacField<float> weights;

  /// f(i, j, k) in every cell.
  template <class F>
  Field<double> field(const F& f) const {
    Field<double> out(layout);
    for (int k = 0; k < box.n; ++k)
      for (int j = 0; j < box.n; ++j)
        for (int i = 0; i < box.n; ++i) out.at({i, j, k}) = f(i, j, k);
    return out;
  }
  /// The cells' values, x fastest.
  std::vector<double> values(const Field<double>& f) const;
};

/// |b - A x| / |b|, from the definition.
double residual(const BoxProblem& box, Load load, const std::vector<double>& x);

/// How far x is from  0 <= x  perp  A x - b >= 0.
struct Complementarity {
  double kkt = 0;  ///< |projected gradient| / |b|: what x > 0 leaves of A x - b, and its negative part where x = 0
  std::int64_t active = 0;  ///< cells at zero
};
/// Infinite where x is negative.
Complementarity complementarity(const BoxProblem& box, Load load, const std::vector<double>& x);

}  // namespace silt::bench

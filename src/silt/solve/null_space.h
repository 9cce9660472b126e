#pragma once

#include <vector>

#include "silt/solve/poisson.h"

namespace silt {

/// The parts of a domain that pressure cannot leave: connected sets of cells none of which touches an open side. On
/// each the operator is singular (a constant costs nothing), so the right-hand side must sum to zero there.
class NullSpace {
 public:
  NullSpace() = default;
  explicit NullSpace(const PoissonOperator& op);

  int components() const { return int(members_.size()); }
  /// Storage indices of the cells of one closed component, rising.
  const std::vector<int>& component(int n) const { return members_[std::size_t(n)]; }
  /// Takes each closed component's mean off b, and clears rows without weights. Returns the largest mean taken off.
  double make_compatible(Field<double>& b) const;

 private:
  std::vector<std::vector<int>> members_;  ///< storage indices of each closed component, rising
  std::vector<int> empty_rows_;
};

}  // namespace silt

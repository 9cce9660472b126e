#pragma once

#include <vector>

#include "silt/solve/poisson.h"

namespace silt {

/// The parts of a domain that pressure cannot leave: connected sets of cells none of which has a screen, or touches an
/// open side or a cell that is held. On each the operator is singular (a constant costs nothing), so the right-hand
/// side must sum to zero there. Cells are kept as runs along x: even a large domain has few.
class NullSpace {
 public:
  NullSpace() = default;
  NullSpace(const Exec& exec, const PoissonOperator& op);

  bool empty() const { return runs_.empty(); }  ///< every cell has a row, and none is closed in
  int components() const { return components_; }
  /// Storage indices of the cells of one closed component, rising.
  std::vector<int> component(int n) const;
  /// x = 0 on rows that are left out.
  void clear_rows(Field<double>& x) const;
  /// Takes each closed component's mean off b, and clears rows without weights. Returns the largest mean taken off.
  double make_compatible(const Exec& exec, Field<double>& b) const;

  /// Cells that are connected along x, or, with component `no_rows`, that have no weights.
  struct Run {
    int first, count;  ///< storage index of the first; cells
    int component;
  };
  static constexpr int no_rows = -1;

 private:
  std::vector<Run> runs_;  ///< of closed components and of rows without weights, rising
  int components_ = 0;
};

}  // namespace silt

#pragma once

#include "silt/solve/level.h"

namespace silt {

/// Solves the coarsest level exactly: its inverse, as a dense matrix. Where a part of it is closed on all sides the
/// answer's mean there is zero.
class CoarsestSolver {
 public:
  static constexpr int most_cells = 100;  ///< a level no larger than this is the coarsest

  void prepare(const Level& level);
  /// level.x = A^-1 level.b
  void solve(const Exec& exec, Level& level) const;

 private:
  Buffer<int> unknown_;    ///< indices into the level's fields
  Buffer<float> inverse_;  ///< dense, row by row
};

}  // namespace silt

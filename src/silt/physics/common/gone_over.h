#pragma once

#include "silt/core/buffer.h"
#include "silt/fields/cut_cells.h"

namespace silt {

/// Distances to solids at corners of cells before and after a step in which they move.
struct SolidsMoved {
  const Field<float>&before, &now;
  const Field<float>* least = nullptr;  ///< during the step; none where nothing moves by as much as a cell
};

/// Cells that a plate passes over in a step, so that their room is on its other side now: see SidesInStep. What they
/// held belongs on this side, and goes to a neighbour there, with the room it had.
class GoneOver {
 public:
  GoneOver() = default;
  /// `room` is V at the end of the step; `room_before`, V at its start, becomes that after the handing over.
  GoneOver(const Domain& domain, const SolidsMoved& solids, const Field<float>& room, Field<float>& room_before);

  bool empty() const { return begin_.size() == 0; }
  /// Values by volume. Sums of V c stay.
  void hand_over(const Exec& exec, Field<float>& values) const;

 private:
  Buffer<int> begin_, cells_;  ///< where each heir starts in `cells_`, storage indices: itself, then those it gets from
  Buffer<float> rooms_;        ///< V of each of them before
};

/// `least` becomes the lesser of itself and `distance`, at the corners of cells.
void keep_least(const Exec& exec, const Domain& domain, const Field<float>& distance, Field<float>& least);

}  // namespace silt

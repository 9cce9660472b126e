#pragma once

#include "silt/physics/common/gone_over.h"

namespace silt {

/// Cells of which a solid leaves little, each with a roomier neighbour: what flows through the faces of such a cell in
/// a step is more than it holds. A group is treated as one cell: all its cells have the same value.
///   [NMG09]-type cut cells: V is a cell's open volume, A the open area of a face, both as parts of a whole one.
class CellGroups {
 public:
  CellGroups() = default;
  /// `cut` and `room` (V) are those at the end of a step, `room_before` is V at its start. Small is V < max A / 2, at
  /// either time: in a narrow channel V = A, and its cells stay apart. A small cell joins the neighbour farthest from
  /// the solid among those behind open faces. One that a solid closes in this step has none: it joins the nearest with
  /// room on the same side of the solids that have `moved`, or any neighbour where nothing leads out. Cells that they
  /// pass over have handed over what they held: see GoneOver.
  CellGroups(const Domain& domain, const CutCells& cut, const Field<float>& room_before, const Field<float>& room,
             const SolidsMoved* moved = nullptr);

  bool empty() const { return begin_.size() == 0; }
  int count() const { return empty() ? 0 : int(begin_.size()) - 1; }
  const Buffer<int>& begin() const { return begin_; }     ///< where each group starts in `cells`; one more at the end
  const Buffer<int>& cells() const { return cells_; }     ///< storage indices
  const Field<float>& single() const { return single_; }  ///< 1 in cells that are in no group, else 0; halos too
  int extent() const { return extent_; }                  ///< no group reaches farther along any axis [cells]

 private:
  Buffer<int> begin_, cells_;
  Field<float> single_;
  int extent_ = 0;
};

}  // namespace silt

#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/particle_sort.h"

namespace silt {

/// Films too thin for a level set are air to the pressure: they lie on solids and walls, which take what would go into
/// them. A particle in a cell of air that is no higher over a surface than all that is there would reach if it were
/// packed
///   has at the least the surface's velocity along its normal n, and nothing that varies along n;
///   goes by that velocity in the second half of a step.
/// Along the surface it is free, and it leaves as it likes.
class FilmsOnSolids {
 public:
  /// After u_p, for a second half of `time`. `ranges`: of these particles.
  void hold(const Exec& exec, const Domain& domain, const CutCells& cut, bool solids, const Field<unsigned char>& air,
            const CellRanges& ranges, double time, Particles& particles);
  /// After all have been moved, the same in the same order: puts those that lie where they are to go.
  void put(const Exec& exec, Particles& particles) const;

 private:
  Buffer<int> cell_[3];  ///< of those that lie, where they are to go; of the others cell_[0] is Particles::dead
  Buffer<float> offset_[3];
};

}  // namespace silt

#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/particle_sort.h"

namespace silt {

/// How closely sand is packed: particles per room, 1 where they are as seeded, 2^D a cell. Cells at the rim of a heap
/// are only partly filled and yet packed: room is only what particles take up, counted in halves of cells along every
/// axis. A half-cell without a particle is taken up too if as many as there are axes of those beside it are; and not
/// taken up but room to fall into, which counts alike, if it lies between one that is and a wall or a solid. Of one
/// that a solid cuts only what is outside counts: else there would always be room left beside it.
struct Packing {
  Field<unsigned char> halves;  ///< a bit for each half-cell that has a particle
  Field<float> part;            ///< of each cell that is taken up
  Field<float> fraction;        ///< particles over the room that they take up
  Field<float> fullness;        ///< particles over all room that walls and solids leave

  Packing() = default;
  explicit Packing(const Layout& layout) : halves(layout), part(layout), fraction(layout), fullness(layout) {}
};

/// `weight`: of particles on faces, as particles_to_grid gives it; `distance`: to solids, at cell corners [m];
/// `capacity`: see find_capacity.
void find_packing(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                  const MacField<float>& weight, const Field<float>& distance, const Field<float>& capacity,
                  Packing& out);

}  // namespace silt

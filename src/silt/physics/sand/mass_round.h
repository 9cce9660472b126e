#pragma once

#include "silt/fields/field.h"
#include "silt/physics/sand/wall_sides.h"

namespace silt {

/// The least that a face counts for that sand moves through, of a full cell's: less would be thrown about.
inline constexpr float least_mass = 0.05f;

/// Mass round a face, of a full cell's, with that of particles whose share falls beyond a wall that the face lies
/// along.
struct MassRound {
  int axis, dims;
  WallSides walls;
  View<const float> heavy;

  MassRound(const Domain& domain, int a, const View<const float>& sums)
      : axis(a), dims(domain.lattice.dims()), walls(domain), heavy(sums) {}
  SILT_HD float operator()(Cell c) const {
    float sum = heavy(c);
    for (int b = 0; b < dims; ++b) {
      if (b == axis) continue;
      if (walls.beside(b, 0, c)) sum += heavy(c - unit(b));
      if (walls.beside(b, 1, c)) sum += heavy(c + unit(b));
    }
    return sum / float(1 << dims);
  }
};

}  // namespace silt

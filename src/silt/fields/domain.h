#pragma once

#include <array>

#include "silt/core/cells.h"
#include "silt/fields/lattice.h"

namespace silt {

/// What lies beyond one side of the domain.
enum class Side { wall, open, periodic };

/// The part of the lattice that is simulated, and its six sides: sides[axis][0] at the low end, [axis][1] at the high.
/// Periodic sides come in pairs. Sides of a flat axis mean nothing.
struct Domain {
  Lattice lattice;
  Cells cells;
  std::array<std::array<Side, 2>, 3> sides{};

  Side side(int axis, int end) const { return sides[axis][end]; }
  bool periodic(int axis) const { return sides[axis][0] == Side::periodic; }

  bool wraps() const {
    for (int a = 0; a < 3; ++a)
      if (lattice.active[a] && periodic(a)) return true;
    return false;
  }

  /// Faces across `axis`, the two on the boundary included; on a periodic axis the upper one is the lower one and
  /// counts once. None on a flat axis.
  Cells faces(int axis) const {
    Cells b = cells;
    if (!lattice.active[axis])
      b.hi[axis] = b.lo[axis];
    else if (!periodic(axis))
      b.hi[axis] += 1;
    return b;
  }
  /// Corners of cells, both ends included.
  Box corners() const { return {cells.lo, cells.hi + lattice.active}; }
  /// Edges along `axis`, each from a corner to the next; along a flat axis one at every corner.
  Box edges(int axis) const {
    Box b = corners();
    b.hi[axis] -= lattice.active[axis];
    return b;
  }

  friend bool operator==(const Domain&, const Domain&) = default;

  Vec3d lower() const { return lattice.origin + cells.lo.as<double>() * lattice.h; }
  Vec3d upper() const { return lattice.origin + cells.hi.as<double>() * lattice.h; }
};

}  // namespace silt

#pragma once

#include "silt/fields/domain.h"

namespace silt {

/// Which sides of the domain are walls, to loops over its cells and faces.
struct WallSides {
  Box cells;
  bool is_wall[3][2] = {};

  WallSides() = default;
  explicit WallSides(const Domain& domain) : cells(domain.cells) {
    for (int a = 0; a < 3; ++a)
      for (int end = 0; end < 2; ++end) is_wall[a][end] = domain.lattice.active[a] && domain.side(a, end) == Side::wall;
  }
  /// Whether a cell lies against the wall at this end of axis a.
  SILT_HD bool beside(int a, int end, Cell c) const {
    return is_wall[a][end] && c[a] == (end == 0 ? cells.lo[a] : cells.hi[a] - 1);
  }
  /// Whether a cell lies beyond a wall across axis a.
  SILT_HD bool beyond(int a, Cell c) const {
    return (is_wall[a][0] && c[a] < cells.lo[a]) || (is_wall[a][1] && c[a] >= cells.hi[a]);
  }
  /// Whether a face across axis a lies on a wall.
  SILT_HD bool on(int a, Cell face) const {
    return (is_wall[a][0] && face[a] == cells.lo[a]) || (is_wall[a][1] && face[a] == cells.hi[a]);
  }
};

}  // namespace silt

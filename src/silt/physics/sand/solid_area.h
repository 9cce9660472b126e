#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/domain.h"

namespace silt {

/// The surface of solids within a cell, over a face's area: it points out of them. Walls of the domain are not solids.
struct SolidArea {
  MacView<const float> open;
  Box cells;
  bool walls[3][2];
  int dims;
  SILT_HD Vec3f operator()(Cell c) const {
    Vec3f out{};
    for (int a = 0; a < dims; ++a) {
      const bool at_low = walls[a][0] && c[a] == cells.lo[a], at_high = walls[a][1] && c[a] == cells.hi[a] - 1;
      if (!at_low && !at_high) out[a] = open[a](c + unit(a)) - open[a](c);
    }
    return out;
  }
};

inline SolidArea solid_area(const Exec& exec, const Domain& domain, const CutCells& cut) {
  SolidArea out{cut.open.read(exec), domain.cells, {}, domain.lattice.dims()};
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end) out.walls[a][end] = domain.side(a, end) == Side::wall;
  return out;
}

}  // namespace silt

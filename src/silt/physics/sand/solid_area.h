#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/physics/sand/wall_sides.h"

namespace silt {

/// The surface of solids within a cell, over a face's area: it points out of them. Walls of the domain are not solids.
struct SolidArea {
  MacView<const float> open;
  WallSides walls;
  int dims;
  SILT_HD Vec3f operator()(Cell c) const {
    Vec3f out{};
    for (int a = 0; a < dims; ++a)
      if (!walls.beside(a, 0, c) && !walls.beside(a, 1, c)) out[a] = open[a](c + unit(a)) - open[a](c);
    return out;
  }
};

inline SolidArea solid_area(const Exec& exec, const Domain& domain, const CutCells& cut) {
  return {cut.open.read(exec), WallSides(domain), domain.lattice.dims()};
}

}  // namespace silt

#pragma once

#include "silt/fields/cut_cells.h"

namespace silt {

/// Which of several solids a cell lies against: that of the corner which is nearest to one, or deepest in one.
struct NearestSolid {
  bool several;
  Int3 active;
  View<const float> distance, nearest;
  SILT_HD int operator()(Cell c) const {
    if (!several) return 0;
    float least = 1e30f, number = 0;
    for (int k = 0; k < 8; ++k) {
      const Cell at = c + Int3{k & 1, k >> 1 & 1, k >> 2 & 1} * active;
      if (distance(at) < least) least = distance(at), number = nearest(at);
    }
    return int(number);
  }
};

/// Without `cut.nearest` there is one.
inline NearestSolid nearest_solid(const Exec& exec, const Domain& domain, const CutCells& cut) {
  const bool several = cut.nearest.allocated();
  return {several, domain.lattice.active, cut.distance.read(exec),
          several ? cut.nearest.read(exec) : View<const float>{}};
}

}  // namespace silt

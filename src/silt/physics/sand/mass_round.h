#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// Mass round a face, of a full cell's, with that of particles whose share falls beyond a wall that the face lies
/// along.
struct MassRound {
  int axis, dims;
  bool walls[3][2];
  Box cells;
  View<const float> heavy;

  MassRound(const Domain& domain, int a, const View<const float>& sums)
      : axis(a), dims(domain.lattice.dims()), cells(domain.cells), heavy(sums) {
    for (int b = 0; b < 3; ++b)
      for (int end = 0; end < 2; ++end) walls[b][end] = domain.side(b, end) == Side::wall;
  }
  SILT_HD float operator()(Cell c) const {
    float sum = heavy(c);
    for (int b = 0; b < dims; ++b) {
      if (b == axis) continue;
      if (walls[b][0] && c[b] == cells.lo[b]) sum += heavy(c - unit(b));
      if (walls[b][1] && c[b] == cells.hi[b] - 1) sum += heavy(c + unit(b));
    }
    return sum / float(1 << dims);
  }
};

}  // namespace silt

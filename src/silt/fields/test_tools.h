#pragma once

// Shared by the tests of this room and of those above it.

#include "silt/core/box.h"
#include "silt/core/random.h"
#include "silt/fields/domain.h"

namespace silt::test {

template <class Visitor>
void for_each(const Box& b, const Visitor& visit) {
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) visit(Cell{x, y, z});
}

/// A box of edge 1 with n cells along x and the same on every side; in 2D its one layer of cells lies about z = 0.
inline Domain unit_domain(int n, int dims, Side side) {
  Domain d;
  d.lattice.h = 1.0 / n;
  d.cells = {{0, 0, 0}, {n, n, dims == 3 ? n : 1}};
  if (dims == 2) d.lattice.active.z = 0, d.lattice.origin.z = -0.5 / n;
  for (auto& pair : d.sides) pair = {side, side};
  return d;
}

/// Between -1 and 1. Depends on the cell alone, so that it is the same in every layout.
inline double noise(std::uint64_t seed, Cell c) {
  return 2 * random_unit(seed, std::uint64_t((c.y + 999) * 5000 + c.x + 999), std::uint64_t(c.z + 999)) - 1;
}

}  // namespace silt::test

#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "silt/core/box.h"
#include "silt/core/error.h"

namespace silt {

inline constexpr int tile_size = 8;     ///< cells along a tile's side
inline constexpr int default_halo = 2;  ///< cells beyond the allocated tiles on every active axis

SILT_HD constexpr int floor_div(int a, int b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// Tile extents: 8 cells, 1 along a flat axis.
SILT_HD constexpr Int3 tile_extent(Int3 active) {
  return {active.x ? tile_size : 1, active.y ? tile_size : 1, active.z ? tile_size : 1};
}

/// Where global cell indices lie in memory. One layout serves every field on a lattice box, whatever its values sit on:
/// value (i, j, k) of a face field is the face between cells i-1 and i. Strides of flat axes are 0, so a neighbour
/// across a flat axis is the cell itself and differences vanish without a branch.
struct Layout {
  Box cells;  ///< allocated cells, whole tiles, without the halo
  Int3 active{1, 1, 1};
  int halo = default_halo;
  int stride_y = 0, stride_z = 0, offset = 0;
  std::int64_t size = 0;  ///< elements, halo included

  SILT_HD int index(int i, int j, int k) const { return offset + i + j * stride_y + k * stride_z; }
  SILT_HD int index(Cell c) const { return index(c.x, c.y, c.z); }
  Box storage() const { return grow(cells, active * halo); }
  friend bool operator==(const Layout&, const Layout&) = default;
};

/// The tiles that cover `cells`, grown by `pad` further cells (rounded up to tiles) on every active axis.
inline Layout make_layout(const Box& cells, Int3 active, int halo = default_halo, int pad = 0) {
  assert(active.x == 1 && "x is never flat");
  Layout l;
  l.active = active;
  l.halo = halo;
  for (int a = 0; a < 3; ++a) {
    const int t = active[a] ? tile_size : 1;
    const int p = active[a] ? pad : 0;
    l.cells.lo[a] = floor_div(cells.lo[a] - p, t) * t;
    l.cells.hi[a] = -floor_div(-(cells.hi[a] + p), t) * t;
  }
  const Box stored = l.storage();
  const Int3 n = stored.size();
  l.size = stored.count();
  if (l.size > std::numeric_limits<int>::max())
    throw InputError("a field of more than 2^31 cells does not fit one process: use a larger cell_size");
  const std::int64_t far = std::int64_t(n.x) * n.y * std::max(std::abs(stored.lo.z), std::abs(stored.hi.z)) +
                           std::int64_t(n.x) * std::max(std::abs(stored.lo.y), std::abs(stored.hi.y));
  if (far > std::numeric_limits<int>::max())
    throw InputError("a field this far from the lattice's origin cannot be indexed: move the domain's origin");
  l.stride_y = active.y ? n.x : 0;
  l.stride_z = active.z ? n.x * n.y : 0;
  l.offset = -(stored.lo.x + stored.lo.y * l.stride_y + stored.lo.z * l.stride_z);
  return l;
}

}  // namespace silt

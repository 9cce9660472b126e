#pragma once

#include "silt/fields/layout.h"

namespace silt {

/// The cells of a layout tile by tile, x fastest in both: the order in which particles are kept, so that what is near
/// in space is near in memory.
struct TileOrder {
  Int3 lowest{};        ///< tile
  Int3 count{};         ///< tiles along each axis
  Int3 shift{3, 3, 3};  ///< a tile has 1 << shift cells along an axis

  TileOrder() = default;
  explicit TileOrder(const Layout& layout) {
    for (int a = 0; a < 3; ++a) {
      shift[a] = layout.active[a] ? 3 : 0;
      lowest[a] = layout.cells.lo[a] >> shift[a];
      count[a] = (layout.cells.hi[a] >> shift[a]) - lowest[a];
    }
  }

  SILT_HD int tiles() const { return count.x * count.y * count.z; }
  SILT_HD int cells_each() const { return 1 << (shift.x + shift.y + shift.z); }
  SILT_HD std::int64_t cells() const { return std::int64_t(tiles()) * cells_each(); }

  SILT_HD Int3 tile_of(Cell c) const { return {c.x >> shift.x, c.y >> shift.y, c.z >> shift.z}; }
  SILT_HD bool has(Int3 tile) const { return Box{lowest, lowest + count}.contains(tile); }
  SILT_HD int number(Int3 tile) const {
    const Int3 d = tile - lowest;
    return (d.z * count.y + d.y) * count.x + d.x;
  }
  SILT_HD Int3 tile(int number_of_it) const {
    return lowest + Int3{number_of_it % count.x, number_of_it / count.x % count.y, number_of_it / (count.x * count.y)};
  }
  SILT_HD Cell lowest_cell(int number_of_it) const {
    const Int3 t = tile(number_of_it);
    return {t.x << shift.x, t.y << shift.y, t.z << shift.z};
  }
  SILT_HD Int3 within(int place) const {
    return {place & ((1 << shift.x) - 1), place >> shift.x & ((1 << shift.y) - 1), place >> (shift.x + shift.y)};
  }
  /// Place of a cell in the order; needs has(tile_of(c)).
  SILT_HD std::uint32_t place(Cell c) const {
    const int in_tile = (c.x & ((1 << shift.x) - 1)) | (c.y & ((1 << shift.y) - 1)) << shift.x |
                        (c.z & ((1 << shift.z) - 1)) << (shift.x + shift.y);
    return std::uint32_t(number(tile_of(c))) << (shift.x + shift.y + shift.z) | std::uint32_t(in_tile);
  }
};

}  // namespace silt

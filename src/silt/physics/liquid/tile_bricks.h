#pragma once

#include <cstdint>

#include "silt/core/box.h"
#include "silt/fields/layout.h"

namespace silt {

/// Which parts of a tile have particles: a bit for each brick of two cells a side, x + 4 y + 16 z. Along a flat axis
/// there is one layer of them. TileBricks that do not touch, at a corner neither, have two empty cells or more between
/// them.
struct TileBricks {
  static constexpr int size = 2, side = tile_size / size;  ///< cells along a brick, bricks along a tile
  static constexpr int all = side * side * side;
  using Bits = std::uint64_t;

  static constexpr int bit(int x, int y, int z) { return x + side * (y + side * z); }
  /// All whose place along an axis is n.
  static constexpr Bits plane(int axis, int n) {
    constexpr Bits first[3] = {0x1111111111111111, 0x000f000f000f000f, 0xffff};
    return first[axis] << (n * stride(axis));
  }
  static constexpr int stride(int axis) { return axis == 0 ? 1 : axis == 1 ? side : side * side; }

  /// With those before and behind each along an axis, within the tile.
  static constexpr Bits wider(Bits bits, int axis) {
    return bits | (bits & ~plane(axis, side - 1)) << stride(axis) | (bits & ~plane(axis, 0)) >> stride(axis);
  }
  /// Those of the tile `away`, one or none along each axis, that touch some of these.
  static constexpr Bits beside(Bits bits, Int3 away) {
    for (int a = 0; a < 3; ++a) {
      const int across = (side - 1) * stride(a);
      bits = away[a] == 0  ? wider(bits, a)
             : away[a] > 0 ? (bits & plane(a, side - 1)) >> across
                           : (bits & plane(a, 0)) << across;
    }
    return bits;
  }
  /// Those in the half of the tile that looks to the tile `away`.
  static constexpr Bits facing(Bits bits, Int3 away) {
    for (int a = 0; a < 3; ++a)
      if (away[a]) bits &= plane(a, away[a] > 0 ? 2 : 0) | plane(a, away[a] > 0 ? 3 : 1);
    return bits;
  }

  /// Their cells.
  static Box cells(Int3 tile, Bits bits, Int3 active) {
    Box out;
    for (int a = 0; a < 3; ++a) {
      int low = 0, high = side - 1;
      while (low < high && !(bits & plane(a, low))) ++low;
      while (high > low && !(bits & plane(a, high))) --high;
      out.lo[a] = active[a] ? tile[a] * tile_size + low * size : tile[a];
      out.hi[a] = active[a] ? tile[a] * tile_size + (high + 1) * size : tile[a] + 1;
    }
    return out;
  }
};

}  // namespace silt

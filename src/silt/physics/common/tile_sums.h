#pragma once

#include "silt/fields/layout.h"

namespace silt {

/// One tile's share of the faces: those of its own cells and of one layer round them, -1 to 8 along an active axis.
/// For each component the weights, then the momenta.
struct TileNodes {
  static constexpr int side = tile_size + 2;
  Int3 active;

  SILT_HD Int3 stride() const { return {1, active.y ? side : 0, active.z ? side * side : 0}; }
  SILT_HD int size() const { return side * (active.y ? side : 1) * (active.z ? side : 1); }
  /// Of a face, counted from the tile's lowest cell.
  SILT_HD int index(Int3 node) const {
    const Int3 s = stride();
    return (node.x + 1) + (node.y + 1) * s.y + (node.z + 1) * s.z;
  }
  SILT_HD int weights(int component) const { return 2 * component * size(); }
  SILT_HD int momenta(int component) const { return (2 * component + 1) * size(); }
  SILT_HD int all() const { return 6 * size(); }
};

}  // namespace silt

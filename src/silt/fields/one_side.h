#pragma once

#include "silt/fields/field.h"

/// For KERNELS sources.
namespace silt {

/// Where a plate of a cell or two passes a cell it may leave two parts of it outside, one on either side. The smaller
/// one counts as solid, or fluid would pass from one to the other through this cell.
struct OneSide {
  View<const float> distance;
  Int3 active;

  /// The corners of the larger part, a bit each: 1, 2, 4 for a step along x, y, z.
  SILT_HD unsigned corners(Cell c) const {
    float d[8];
    unsigned outside = 0;
    for (int k = 0; k < 8; ++k) {
      d[k] = distance(c + Int3{k & 1, k >> 1 & 1, k >> 2} * active);
      outside |= d[k] >= 0 ? 1u << k : 0u;
    }
    if (outside == 255) return outside;
    unsigned best = 0;
    float largest = -1;
    for (unsigned left = outside; left;) {
      unsigned part = left & (0u - left);
      for (int round = 0; round < 4; ++round) {
        part |= ((part & 0x55u) << 1 | (part & 0xaau) >> 1) & outside;
        part |= ((part & 0x33u) << 2 | (part & 0xccu) >> 2) & outside;
        part |= ((part & 0x0fu) << 4 | (part & 0xf0u) >> 4) & outside;
      }
      float size = 0;
      for (int k = 0; k < 8; ++k) size += part >> k & 1 ? d[k] : 0;
      if (size > largest) largest = size, best = part;
      left &= ~part;
    }
    return best;
  }
  SILT_HD static unsigned bit(Int3 step) { return 1u << (step.x + 2 * step.y + 4 * step.z); }
};

}  // namespace silt

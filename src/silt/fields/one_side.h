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
  /// Whether parts of two cells, that of the second on one side of the first, have a corner in common.
  SILT_HD static bool meet(unsigned part, unsigned beside, int axis, int end) {
    const unsigned high = axis == 0 ? 0xaau : axis == 1 ? 0xccu : 0xf0u;
    const unsigned across = end ? (part & high) >> (1 << axis) : (part & ~high) << (1 << axis);
    return (across & beside & 0xffu) != 0;
  }
};

/// The larger parts of cells before and after a step in which solids move. A corner that is outside all the time stays
/// on its side of a plate, and a cell that keeps a corner of its part does. One that keeps none goes over to the other
/// side: its room is there now, and what it held belongs here.
struct SidesInStep {
  OneSide before, now;
  View<const float> least;  ///< of distances during the step; none where solids move by less than a cell

  SILT_HD unsigned was(Cell c) const { return before.corners(c); }
  SILT_HD unsigned is(Cell c) const { return now.corners(c); }
  /// Those of some corners of a cell that no solid passes over.
  SILT_HD unsigned stay(Cell c, unsigned corners) const {
    if (!least.data) return corners;
    for (int k = 0; k < 8; ++k)
      if (least(c + Int3{k & 1, k >> 1 & 1, k >> 2} * now.active) < 0) corners &= ~(1u << k);
    return corners;
  }
  SILT_HD bool goes_over(Cell c) const {
    const unsigned was_outside = was(c), is_outside = is(c);
    return was_outside && is_outside && !stay(c, was_outside & is_outside);
  }
  /// The corners of the side that a cell belongs to in the step, once cells that go over have handed over what they
  /// held: with those that it loses and gains.
  SILT_HD unsigned side(Cell c) const {
    const unsigned was_outside = was(c), is_outside = is(c);
    if (!was_outside) return stay(c, is_outside);
    if (!is_outside) return was_outside;
    return stay(c, was_outside & is_outside) ? was_outside | is_outside : stay(c, is_outside);
  }
  /// Whether what a cell held before the step may go to its neighbour.
  SILT_HD bool leads(Cell c, int axis, int end) const {
    const Cell beside = end ? c + unit(axis) : c - unit(axis);
    return OneSide::meet(was(c), side(beside), axis, end);
  }
};

}  // namespace silt

#pragma once

#include <cstdint>
#include <ostream>

#include "silt/core/vec.h"

namespace silt {

/// Cells lo <= c < hi of the lattice. Empty when any hi <= lo.
struct Box {
  Int3 lo, hi;

  SILT_HD constexpr Int3 size() const { return max(hi - lo, Int3{}); }
  SILT_HD constexpr std::int64_t count() const {
    const Int3 n = size();
    return std::int64_t(n.x) * n.y * n.z;
  }
  SILT_HD constexpr bool empty() const { return hi.x <= lo.x || hi.y <= lo.y || hi.z <= lo.z; }
  SILT_HD constexpr bool contains(Cell c) const {
    return c.x >= lo.x && c.y >= lo.y && c.z >= lo.z && c.x < hi.x && c.y < hi.y && c.z < hi.z;
  }
  SILT_HD constexpr bool contains(const Box& b) const {
    return b.empty() || (contains(b.lo) && contains(b.hi - Int3{1, 1, 1}));
  }
  friend constexpr bool operator==(const Box&, const Box&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Box& b) { return out << b.lo << " to " << b.hi; }
};

SILT_HD constexpr Box intersect(const Box& a, const Box& b) {
  return {max(a.lo, b.lo), min(a.hi, b.hi)};
}

/// The smallest box that holds both.
SILT_HD constexpr Box hull(const Box& a, const Box& b) {
  return a.empty() ? b : b.empty() ? a : Box{min(a.lo, b.lo), max(a.hi, b.hi)};
}

SILT_HD constexpr Box grow(const Box& b, Int3 by) {
  return {b.lo - by, b.hi + by};
}

}  // namespace silt

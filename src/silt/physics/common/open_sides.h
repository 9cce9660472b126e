#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/sampler.h"

namespace silt {

/// Whether a point lies among a field's values, or beyond an open side, where only a guess stands. MacCormack and BFECC
/// learn their error by carrying the result back; what has left the domain cannot be carried back, and is not
/// corrected.
struct OpenSides {
  Int3 lo, last;  ///< first and last index; far away where the side is not open

  /// `box`: the cells or faces that the field has in the domain.
  static OpenSides of(const Domain& domain, const Box& box) {
    constexpr int far = 1 << 29;
    OpenSides s;
    for (int a = 0; a < 3; ++a) {
      s.lo[a] = domain.lattice.active[a] && domain.side(a, 0) == Side::open ? box.lo[a] : -far;
      s.last[a] = domain.lattice.active[a] && domain.side(a, 1) == Side::open ? box.hi[a] - 1 : far;
    }
    return s;
  }

  /// d cells from the site of index c, and from those after it along x where F is several: then a mask.
  template <class F>
  SILT_HD_INLINE auto within(Cell c, DisplacementOf<F> d) const {
    const auto first = Numbers<F>::from(c.x);
    const auto x = (d.x >= Numbers<F>::to_float(lo.x - first)) & (d.x <= Numbers<F>::to_float(last.x - first));
    const auto y = (d.y >= float(lo.y - c.y)) & (d.y <= float(last.y - c.y));
    const auto z = (d.z >= float(lo.z - c.z)) & (d.z <= float(last.z - c.z));
    return x & y & z;
  }
};

}  // namespace silt

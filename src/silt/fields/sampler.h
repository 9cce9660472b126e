#pragma once

#include "silt/core/strips.h"
#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// Where interpolation may take its values along each axis. A position is an integer index plus a displacement
/// in cells; splitting the two keeps full precision at any index. On a periodic axis positions wrap, else they stop at
/// the first and last index. Linear interpolation reads one layer of halo then, cubic reads two.
struct SampleBounds {
  Int3 lo, last;  ///< lowest usable index; highest index that may be the lower of a pair
  Int3 period{};  ///< cells to wrap by; 0 for none
  Vec3f turns{};  ///< 1 / period; 0 for none

  bool wraps() const { return period.x || period.y || period.z; }

  /// For values at cell centres (axis -1) or on the faces across `axis`, one layer of halo included except across a
  /// face field's own axis, where the boundary face is the end.
  static SampleBounds of(const Domain& domain, int axis) {
    SampleBounds b;
    const Int3 active = domain.lattice.active;
    for (int a = 0; a < 3; ++a) {
      const bool own = a == axis;
      b.period[a] = active[a] && domain.periodic(a) ? domain.cells.size()[a] : 0;
      b.turns[a] = b.period[a] ? 1.0f / float(b.period[a]) : 0.0f;
      b.lo[a] = b.period[a] || own ? domain.cells.lo[a] : domain.cells.lo[a] - active[a];
      b.last[a] = active[a] ? domain.cells.hi[a] - 1 : domain.cells.lo[a];
    }
    return b;
  }
};

/// One axis of a sample: the lower index of the pair and the weight of the upper.
template <class F>
struct SampleAxisOf {
  using Int = typename Numbers<F>::Int;
  Int base;
  F weight;

  /// Wraps: whether any axis is periodic; where none is, kernels are built without that arithmetic.
  template <bool Wraps>
  SILT_HD_INLINE static SampleAxisOf at(Int index, F displacement, int lo, int last, [[maybe_unused]] int period,
                                        [[maybe_unused]] float turns) {
    const F whole = Numbers<F>::floor(displacement);
    Int base = index + Numbers<F>::to_int(whole);
    F weight = displacement - whole;
    if constexpr (Wraps) {
      // Whole turns by a float product, which vectorises where an integer division does not; rounding is mended after.
      // Where the period is 0 all of this does nothing, without a branch.
      base -= Numbers<F>::to_int(Numbers<F>::floor(Numbers<F>::to_float(base - lo) * turns)) * period;
      base = base < lo ? base + period : base;
      base = base > last ? base - period : base;
    }
    weight = base < lo ? 0.0f : base > last ? 1.0f : weight;
    base = base < lo ? lo : base > last ? last : base;
    return {base, weight};
  }
};

/// How far a point lies from the site whose index names it [cells].
template <class F>
struct DisplacementOf {
  F x, y, z;
};

/// The three axes of a sample.
template <class F>
struct SamplePointOf {
  SampleAxisOf<F> x, y, z;

  /// d from cell c; from c and those after it along x where F is several.
  template <bool Wraps>
  SILT_HD_INLINE static SamplePointOf at(const SampleBounds& b, Cell c, DisplacementOf<F> d) {
    const typename Numbers<F>::Int none{};
    using Axis = SampleAxisOf<F>;
    return {Axis::template at<Wraps>(Numbers<F>::from(c.x), d.x, b.lo.x, b.last.x, b.period.x, b.turns.x),
            Axis::template at<Wraps>(none + c.y, d.y, b.lo.y, b.last.y, b.period.y, b.turns.y),
            Axis::template at<Wraps>(none + c.z, d.z, b.lo.z, b.last.z, b.period.z, b.turns.z)};
  }
};

template <class F>
SILT_HD_INLINE F lerp(F a, F b, F t) {
  return a + t * (b - a);
}

/// The eight values round a point and their weights; values are read once, for interpolation and for limits.
template <class F>
struct CornersOf {
  F v[8];
  F wx, wy, wz;

  SILT_HD_INLINE static CornersOf at(const View<const float>& f, const SamplePointOf<F>& p) {
    const auto n = f.offset + p.x.base + p.y.base * f.stride_y + p.z.base * f.stride_z;
    const int sy = f.stride_y, sz = f.stride_z;
    const float* d = f.data;
    if constexpr (std::is_same_v<F, float>) {
      return side_by_side(d, n, sy, sz, p);
    } else {
      if (Numbers<F>::consecutive(n)) return side_by_side(d, n[0], sy, sz, p);  // nearly everywhere in a smooth flow
      CornersOf c{{}, p.x.weight, p.y.weight, p.z.weight};
      Numbers<F>::gather_pairs(d, n, c.v[0], c.v[1]);
      Numbers<F>::gather_pairs(d + sy, n, c.v[2], c.v[3]);
      Numbers<F>::gather_pairs(d + sz, n, c.v[4], c.v[5]);
      Numbers<F>::gather_pairs(d + sy + sz, n, c.v[6], c.v[7]);
      return c;
    }
  }
  SILT_HD_INLINE F value() const {
    const F a = lerp(lerp(v[0], v[1], wx), lerp(v[2], v[3], wx), wy);
    const F b = lerp(lerp(v[4], v[5], wx), lerp(v[6], v[7], wx), wy);
    return lerp(a, b, wz);
  }
  SILT_HD_INLINE F lowest() const {
    F m = v[0];
    for (int i = 1; i < 8; ++i) m = v[i] < m ? v[i] : m;
    return m;
  }
  SILT_HD_INLINE F highest() const {
    F m = v[0];
    for (int i = 1; i < 8; ++i) m = v[i] > m ? v[i] : m;
    return m;
  }

 private:
  /// Written out, and with indices that are whole before they meet the pointer: else the loop over cells is not
  /// vectorised where a kernel takes them one by one.
  SILT_HD_INLINE static CornersOf side_by_side(const float* d, int n, int sy, int sz, const SamplePointOf<F>& p) {
    const auto at = [d](int i) { return Numbers<F>::load(d + i); };
    return {{at(n), at(n + 1), at(n + sy), at(n + sy + 1), at(n + sz), at(n + sz + 1), at(n + sy + sz),
             at(n + sy + sz + 1)},
            p.x.weight,
            p.y.weight,
            p.z.weight};
  }
};

using Displacement = DisplacementOf<float>;
using SampleAxis = SampleAxisOf<float>;
using SamplePoint = SamplePointOf<float>;
using Corners = CornersOf<float>;

}  // namespace silt

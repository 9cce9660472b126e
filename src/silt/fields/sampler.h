#pragma once

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
struct SampleAxis {
  int base;
  float weight;

  /// Wraps: whether any axis is periodic; where none is, kernels are built without that arithmetic.
  template <bool Wraps>
  SILT_HD_INLINE static SampleAxis at(int index, float displacement, int lo, int last, [[maybe_unused]] int period,
                                      [[maybe_unused]] float turns) {
    const float whole = std::floor(displacement);
    int base = index + int(whole);
    float weight = displacement - whole;
    if constexpr (Wraps) {
      // Whole turns by a float product, which vectorises where an integer division does not; rounding is mended after.
      // Where the period is 0 all of this does nothing, without a branch.
      base -= int(std::floor(float(base - lo) * turns)) * period;
      base = base < lo ? base + period : base;
      base = base > last ? base - period : base;
    }
    weight = base < lo ? 0.0f : base > last ? 1.0f : weight;
    base = base < lo ? lo : base > last ? last : base;
    return {base, weight};
  }
};

/// How far a point lies from the site whose index names it [cells].
struct Displacement {
  float x, y, z;
};

/// The three axes of a sample.
struct SamplePoint {
  SampleAxis x, y, z;

  template <bool Wraps>
  SILT_HD_INLINE static SamplePoint at(const SampleBounds& b, Cell c, Displacement d) {
    return {SampleAxis::at<Wraps>(c.x, d.x, b.lo.x, b.last.x, b.period.x, b.turns.x),
            SampleAxis::at<Wraps>(c.y, d.y, b.lo.y, b.last.y, b.period.y, b.turns.y),
            SampleAxis::at<Wraps>(c.z, d.z, b.lo.z, b.last.z, b.period.z, b.turns.z)};
  }
};

SILT_HD_INLINE float lerp(float a, float b, float t) {
  return a + t * (b - a);
}

/// The eight values round a point and their weights; values are read once, for interpolation and for limits.
struct Corners {
  float v[8];
  float wx, wy, wz;

  SILT_HD_INLINE static Corners at(const View<const float>& f, const SamplePoint& p) {
    const int n = f.index(p.x.base, p.y.base, p.z.base);
    const int sy = f.stride_y, sz = f.stride_z;
    const float* d = f.data;
    return {{d[n], d[n + 1], d[n + sy], d[n + sy + 1], d[n + sz], d[n + sz + 1], d[n + sy + sz], d[n + sy + sz + 1]},
            p.x.weight,
            p.y.weight,
            p.z.weight};
  }
  SILT_HD_INLINE float value() const {
    const float a = lerp(lerp(v[0], v[1], wx), lerp(v[2], v[3], wx), wy);
    const float b = lerp(lerp(v[4], v[5], wx), lerp(v[6], v[7], wx), wy);
    return lerp(a, b, wz);
  }
  SILT_HD_INLINE float lowest() const {
    float m = v[0];
    for (int i = 1; i < 8; ++i) m = v[i] < m ? v[i] : m;
    return m;
  }
  SILT_HD_INLINE float highest() const {
    float m = v[0];
    for (int i = 1; i < 8; ++i) m = v[i] > m ? v[i] : m;
    return m;
  }
};

}  // namespace silt

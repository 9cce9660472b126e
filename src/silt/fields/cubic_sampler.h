#pragma once

#include "silt/fields/sampler.h"

namespace silt {

/// Monotone cubic interpolation between the middle two of four values: one axis of the tensor product.
///   f(t) = p1 + h01(t) D + h10(t) m1 + h11(t) m2,   D = p2 - p1,   m1 = (p2 - p0) / 2,   m2 = (p3 - p1) / 2
/// with the slopes limited to lie between 0 and 3 D: one of the wrong sign becomes 0 [FED01], one that is too steep 3 D
/// [FC80]. Both are needed: (0, 0, 1, 101) sinks to -6.7 with the first alone. The curve then rises or falls all the
/// way from p1 to p2; rounding could still step over the ends by a unit of the last place, so it is held between them.
///   [FC80]  Fritsch & Carlson 1980, Monotone piecewise cubic interpolation
///   [FED01] Fedkiw, Stam & Jensen 2001, Visual simulation of smoke, appendix B
struct MonotoneCubic {
  float h01, h10, h11;  ///< Hermite's basis at t

  SILT_HD_INLINE static MonotoneCubic at(float t) {
    const float rest = 1 - t;
    return {t * t * (3 - 2 * t), t * rest * rest, -t * t * rest};
  }

  SILT_HD_INLINE static float between(float value, float lo, float hi) {
    const float raised = value < lo ? lo : value;
    return raised > hi ? hi : raised;
  }

  SILT_HD_INLINE float operator()(float p0, float p1, float p2, float p3) const {
    const float rise = p2 - p1, steepest = 3 * rise;
    const float lo = steepest < 0 ? steepest : 0.0f, hi = steepest < 0 ? 0.0f : steepest;
    const float m1 = between(0.5f * (p2 - p0), lo, hi), m2 = between(0.5f * (p3 - p1), lo, hi);
    const float value = p1 + (h01 * rise + (h10 * m1 + h11 * m2));
    return between(value, p1 < p2 ? p1 : p2, p1 < p2 ? p2 : p1);
  }
};

/// The tensor product along x, then y, then z: 64 values in space, 16 in a plane (Flat: z is the flat axis). Limited
/// axis by axis, so that the result lies between the eight values round the point. Needs two layers of halo.
template <bool Flat>
struct CubicSample {
  const float* data;
  int stride_y, stride_z;
  MonotoneCubic x, y, z;

  SILT_HD_INLINE float row(int n) const { return x(data[n - 1], data[n], data[n + 1], data[n + 2]); }
  SILT_HD_INLINE float plane(int n) const {
    return y(row(n - stride_y), row(n), row(n + stride_y), row(n + 2 * stride_y));
  }
  SILT_HD_INLINE float space(int n) const {
    return z(plane(n - stride_z), plane(n), plane(n + stride_z), plane(n + 2 * stride_z));
  }

  SILT_HD_INLINE static float at(const View<const float>& f, const SamplePoint& p) {
    const CubicSample sample{f.data,
                             f.stride_y,
                             f.stride_z,
                             MonotoneCubic::at(p.x.weight),
                             MonotoneCubic::at(p.y.weight),
                             MonotoneCubic::at(p.z.weight)};
    const int n = f.index(p.x.base, p.y.base, p.z.base);
    if constexpr (Flat)
      return sample.plane(n);
    else
      return sample.space(n);
  }
};

}  // namespace silt

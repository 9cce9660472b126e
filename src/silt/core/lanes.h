#pragma once

#include "silt/core/macros.h"

namespace silt {

/// Eight floats that one instruction handles, for the few loops that the compiler does not vectorise by itself.
inline constexpr int lane_count = 8;

#if defined(__CUDACC__)
struct Lanes {
  float v[lane_count];

  SILT_HD float& operator[](int l) { return v[l]; }
  SILT_HD float operator[](int l) const { return v[l]; }
  SILT_HD Lanes& operator+=(const Lanes& b) {
    for (int l = 0; l < lane_count; ++l) v[l] += b.v[l];
    return *this;
  }
  SILT_HD Lanes& operator-=(const Lanes& b) {
    for (int l = 0; l < lane_count; ++l) v[l] -= b.v[l];
    return *this;
  }
  SILT_HD Lanes& operator*=(const Lanes& b) {
    for (int l = 0; l < lane_count; ++l) v[l] *= b.v[l];
    return *this;
  }
  SILT_HD friend Lanes operator+(Lanes a, const Lanes& b) { return a += b; }
  SILT_HD friend Lanes operator-(Lanes a, const Lanes& b) { return a -= b; }
  SILT_HD friend Lanes operator*(Lanes a, const Lanes& b) { return a *= b; }
};
#else
typedef float Lanes __attribute__((vector_size(lane_count * sizeof(float))));
#endif

SILT_HD_INLINE Lanes all_lanes(float value) {
  return Lanes{value, value, value, value, value, value, value, value};
}
/// The first n of the lanes, from an array; the others repeat the first.
SILT_HD_INLINE Lanes load_lanes(const float* from, int n) {
  Lanes out;
  if (n == lane_count) {
    __builtin_memcpy(&out, from, sizeof out);
  } else {
    out = all_lanes(from[0]);
    for (int l = 1; l < n; ++l) out[l] = from[l];
  }
  return out;
}
SILT_HD_INLINE void store_lanes(const Lanes& value, float* to, int n) {
  if (n == lane_count)
    __builtin_memcpy(to, &value, sizeof value);
  else
    for (int l = 0; l < n; ++l) to[l] = value[l];
}

/// What weights are worked out in: one number, or lanes of them.
SILT_HD_INLINE float positive_part(float x) {
  return x > 0 ? x : 0;
}
SILT_HD_INLINE float one_where_negative(float x) {
  return x < 0 ? 1.0f : 0.0f;
}
SILT_HD_INLINE Lanes positive_part(const Lanes& x) {
#if defined(__CUDACC__)
  Lanes out;
  for (int l = 0; l < lane_count; ++l) out[l] = positive_part(x[l]);
  return out;
#else
  return x > Lanes{} ? x : Lanes{};
#endif
}
SILT_HD_INLINE Lanes one_where_negative(const Lanes& x) {
#if defined(__CUDACC__)
  Lanes out;
  for (int l = 0; l < lane_count; ++l) out[l] = one_where_negative(x[l]);
  return out;
#else
  return x < Lanes{} ? all_lanes(1) : Lanes{};
#endif
}
/// 1 - |x| where that is positive, else 0.
SILT_HD_INLINE Lanes hat(const Lanes& x) {
  return positive_part(all_lanes(1) - (positive_part(x) + positive_part(Lanes{} - x)));
}
SILT_HD_INLINE Lanes at_most(const Lanes& x, float most) {
#if defined(__CUDACC__)
  Lanes out;
  for (int l = 0; l < lane_count; ++l) out[l] = x[l] < most ? x[l] : most;
  return out;
#else
  return x < all_lanes(most) ? x : all_lanes(most);
#endif
}
/// a / b where b is above `least`, else 0.
SILT_HD_INLINE Lanes ratio_above(const Lanes& a, const Lanes& b, float least) {
#if defined(__CUDACC__)
  Lanes out;
  for (int l = 0; l < lane_count; ++l) out[l] = b[l] > least ? a[l] / b[l] : 0.0f;
  return out;
#else
  const auto above = b > all_lanes(least);
  return above ? a / (above ? b : all_lanes(1)) : Lanes{};
#endif
}
SILT_HD_INLINE void set_all(float& to, float value) {
  to = value;
}
SILT_HD_INLINE void set_all(Lanes& to, float value) {
  to = all_lanes(value);
}

}  // namespace silt

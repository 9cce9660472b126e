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
/// The first n of the lanes, from an array; the others are 0.
SILT_HD_INLINE Lanes load_lanes(const float* from, int n) {
  Lanes out{};
  if (n == lane_count) {
    __builtin_memcpy(&out, from, sizeof out);
    return out;
  }
#if defined(__AVX2__) && defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
  typedef int Bits __attribute__((vector_size(sizeof(Lanes))));  // in one instruction, which leaves the others alone
  const Bits below = Bits{0, 1, 2, 3, 4, 5, 6, 7} < n;
  return __builtin_ia32_maskloadps256(reinterpret_cast<const Lanes*>(from), below);
#else
  for (int l = 0; l < n; ++l) out[l] = from[l];
  return out;
#endif
}
/// The first n of some lanes, in pieces of four, two and one.
template <class Vector, class T>
SILT_HD_INLINE void store_first(const Vector& value, T* to, int n) {
  T all[lane_count];
  static_assert(sizeof all == sizeof value);
  __builtin_memcpy(all, &value, sizeof all);
  int done = 0;
  if (n & 4) __builtin_memcpy(to, all, 4 * sizeof(T)), done = 4;
  if (n & 2) __builtin_memcpy(to + done, all + done, 2 * sizeof(T)), done += 2;
  if (n & 1) to[done] = all[done];
}
SILT_HD_INLINE void store_lanes(const Lanes& value, float* to, int n) {
  if (n == lane_count)
    __builtin_memcpy(to, &value, sizeof value);
  else
    store_first(value, to, n);
}
/// Lanes that are whole numbers, counted from `base`.
SILT_HD_INLINE void store_whole(const Lanes& value, int base, int* to, int n) {
#if defined(__CUDACC__)
  for (int l = 0; l < n; ++l) to[l] = base + int(value[l]);
#else
  typedef int Whole __attribute__((vector_size(sizeof(Lanes))));
  const Whole whole = __builtin_convertvector(value, Whole) + base;
  if (n == lane_count)
    __builtin_memcpy(to, &whole, sizeof whole);
  else
    store_first(whole, to, n);
#endif
}
/// `value` in the first n lanes, `rest` in the others.
SILT_HD_INLINE Lanes first_lanes(const Lanes& value, int n, float rest) {
#if defined(__CUDACC__)
  Lanes out = value;
  for (int l = n; l < lane_count; ++l) out[l] = rest;
  return out;
#else
  return Lanes{0, 1, 2, 3, 4, 5, 6, 7} < all_lanes(float(n)) ? value : all_lanes(rest);
#endif
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

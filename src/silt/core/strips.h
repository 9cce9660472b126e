#pragma once

/// Kernels that take eight cells along x at once: `for_each_strip` in loops.h. They are written once, for numbers F
/// that are float (a cell) or Lanes (a strip), with what this header says of either. The compiler vectorises plain
/// kernels by itself, but it cannot ask a question of all eight cells together, as Corners does: do they read side by
/// side?

#include <cmath>
#include <cstring>

#include "silt/core/lanes.h"
#include "silt/core/macros.h"

namespace silt {

template <class F>
struct Numbers;

template <>
struct Numbers<float> {
  using Int = int;
  SILT_HD_INLINE static int from(int first) { return first; }
  SILT_HD_INLINE static int to_int(float v) { return int(v); }
  SILT_HD_INLINE static float to_float(int v) { return float(v); }
  SILT_HD_INLINE static float floor(float v) { return std::floor(v); }
  SILT_HD_INLINE static float sqrt(float v) { return std::sqrt(v); }
  SILT_HD_INLINE static bool all_positive(float v) { return v > 0; }
  SILT_HD_INLINE static float load(const float* at) { return *at; }
  SILT_HD_INLINE static float load_rounded(const double* at) { return float(*at); }
  SILT_HD_INLINE static float every_second(const float* at) { return *at; }
  SILT_HD_INLINE static void coarser(const float* values, int base, int other, bool, float& at_base, float& at_other) {
    at_base = values[base], at_other = values[other];
  }
  SILT_HD_INLINE static void store(float v, float* at) { *at = v; }
};

#if !defined(__CUDACC__)  // a GPU's threads take a cell each

using LaneInts = int __attribute__((vector_size(lane_count * sizeof(int))));

/// The lanes of a and b with these numbers, those of b counting on from a's. Two compilers, two names for it.
#if defined(__clang__)
#define SILT_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SILT_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, LaneInts{__VA_ARGS__})
#endif

template <>
struct Numbers<Lanes> {
  using Int = LaneInts;
  /// first, first + 1, ...
  SILT_HD_INLINE static LaneInts from(int first) { return first + LaneInts{0, 1, 2, 3, 4, 5, 6, 7}; }
  SILT_HD_INLINE static LaneInts to_int(Lanes v) { return __builtin_convertvector(v, LaneInts); }
  SILT_HD_INLINE static Lanes to_float(LaneInts v) { return __builtin_convertvector(v, Lanes); }
  SILT_HD_INLINE static Lanes floor(Lanes v) {
#if defined(__AVX__)
    return __builtin_ia32_roundps256(v, 9);  // down, quietly
#else
    for (int l = 0; l < lane_count; ++l) v[l] = std::floor(v[l]);
    return v;
#endif
  }
  SILT_HD_INLINE static Lanes sqrt(Lanes v) {
#if defined(__AVX__)
    return __builtin_ia32_sqrtps256(v);
#else
    for (int l = 0; l < lane_count; ++l) v[l] = std::sqrt(v[l]);
    return v;
#endif
  }
  SILT_HD_INLINE static bool all_positive(Lanes v) {
#if defined(__AVX__)
    return __builtin_ia32_movmskps256(Lanes(v > Lanes{})) == 0xff;
#else
    bool all = true;
    for (int l = 0; l < lane_count; ++l) all = all && v[l] > 0;
    return all;
#endif
  }
  SILT_HD_INLINE static Lanes load(const float* at) {
    Lanes v;
    std::memcpy(&v, at, sizeof v);
    return v;
  }
  SILT_HD_INLINE static Lanes load_rounded(const double* at) {
    using Doubles = double __attribute__((vector_size(lane_count * sizeof(double))));
    Doubles v;
    std::memcpy(&v, at, sizeof v);
    return __builtin_convertvector(v, Lanes);
  }
  /// at[0], at[2], ..., and nothing beyond the last of them is read.
  SILT_HD_INLINE static Lanes every_second(const float* at) {
    return SILT_SHUFFLE(load(at), load(at + lane_count - 1), 0, 2, 4, 6, 9, 11, 13, 15);
  }
  /// Values of a lattice half as fine, at half the index of each lane, the first of which is even: values[base] for the
  /// first two, and on. And those beside: where values lie `on_nodes`, for odd lanes the next; else for even lanes the
  /// last, for odd ones the next. Reads values[base - 1] to values[base + 6].
  SILT_HD_INLINE static void coarser(const float* values, int base, int, bool on_nodes, Lanes& at_base,
                                     Lanes& at_other) {
    const Lanes v = load(values + base - 1);
    at_base = SILT_SHUFFLE(v, v, 1, 1, 2, 2, 3, 3, 4, 4);
    at_other = on_nodes ? SILT_SHUFFLE(v, v, 1, 2, 2, 3, 3, 4, 4, 5) : SILT_SHUFFLE(v, v, 0, 2, 1, 3, 2, 4, 3, 5);
  }
  SILT_HD_INLINE static void store(Lanes v, float* at) {
    std::memcpy(at, &v, sizeof v);
  }

  /// Whether they are n, n + 1, ...
  SILT_HD_INLINE static bool consecutive(LaneInts n) {
    const LaneInts differ = n ^ from(n[0]);
#if defined(__AVX__)
    using Long4 = long long __attribute__((vector_size(32)));
    return __builtin_ia32_ptestz256(Long4(differ), Long4(differ));
#else
    int any = 0;
    for (int l = 0; l < lane_count; ++l) any |= differ[l];
    return any == 0;
#endif
  }

  /// values[n] and values[n + 1], read together: a gather costs by its loads.
  SILT_HD_INLINE static void gather_pairs(const float* values, LaneInts n, Lanes& first, Lanes& second) {
    const auto pair = [&](int l) {
      long long both;
      std::memcpy(&both, values + n[l], sizeof both);
      return both;
    };
    using Long4 = long long __attribute__((vector_size(32)));
    const Lanes a = Lanes(Long4{pair(0), pair(1), pair(4), pair(5)});
    const Lanes b = Lanes(Long4{pair(2), pair(3), pair(6), pair(7)});
    first = SILT_SHUFFLE(a, b, 0, 2, 8, 10, 4, 6, 12, 14);
    second = SILT_SHUFFLE(a, b, 1, 3, 9, 11, 5, 7, 13, 15);
  }
};

#endif

}  // namespace silt

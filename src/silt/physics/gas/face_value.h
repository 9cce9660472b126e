#pragma once

#include "silt/core/macros.h"

namespace silt::gas {

/// How what a flow carries is taken to a face.
///   upwind   the value behind: first order
///   zip      momentum along its own axis as the product of neighbours [HA71]; everything else upwind
///   limited  a straight line from the value behind, as steep as both differences allow [VL74], and where it will have
///            been on the mean of the step: second order in space and time, no new extrema
/// [HA71] Harlow & Amsden 1971, A numerical fluid dynamics calculation method for all flow speeds
/// [VL74] van Leer 1974, Towards the ultimate conservative difference scheme II
enum class Flux { upwind, zip, limited };

/// Van Leer's mean of two differences: their harmonic mean, or nothing where they disagree in sign.
SILT_HD_INLINE float limited_slope(float a, float b) {
  const float product = a * b;
  const float both = product > 0 ? product : 0.0f, sum = product > 0 ? a + b : 1.0f;
  return 2 * both / sum;
}

/// Value on the face between v[n - step] and v[n]; `courant` is signed, what crosses the face in cells a step.
template <Flux F>
SILT_HD_INLINE float face_value(const float* v, int n, int step, float courant) {
  const float low = v[n - step], high = v[n];
  const bool forward = courant > 0;
  if constexpr (F != Flux::limited) {
    return forward ? low : high;
  } else {
    const float here = high - low, before = low - v[n - 2 * step], beyond = v[n + step] - high;  // read, then chosen:
    const float behind = forward ? before : beyond;                                              // loops vectorise
    const float half = 0.5f * limited_slope(behind, here);
    return forward ? low + (1 - courant) * half : high - (1 + courant) * half;
  }
}

}  // namespace silt::gas

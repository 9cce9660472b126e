#pragma once

#include "silt/core/mat3.h"

namespace silt {

/// x -> rotation * (scale * x) + translation: what keeps the form of a shape. Lengths [m].
struct Similarity {
  Mat3d rotation;
  Vec3d translation{};
  double scale = 1;

  SILT_HD constexpr Vec3d operator()(const Vec3d& x) const { return rotation * (x * scale) + translation; }
  /// The point that comes to lie at x.
  SILT_HD constexpr Vec3d back(const Vec3d& x) const { return transpose(rotation) * (x - translation) * (1 / scale); }
  /// First b, then a.
  SILT_HD friend constexpr Similarity operator*(const Similarity& a, const Similarity& b) {
    return {a.rotation * b.rotation, a(b.translation), a.scale * b.scale};
  }
  friend constexpr bool operator==(const Similarity&, const Similarity&) = default;
};

inline Similarity inverse(const Similarity& s) {
  const Mat3d turn = transpose(s.rotation);
  return {turn, -(turn * s.translation) * (1 / s.scale), 1 / s.scale};
}

}  // namespace silt

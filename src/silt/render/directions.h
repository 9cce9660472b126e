#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "silt/core/vec.h"
#include "silt/render/sampler.h"

namespace silt {

inline constexpr float pi = std::numbers::pi_v<float>;

/// Three directions at right angles, z the one given.
struct Axes {
  Vec3f x, y, z;

  /// [Duff et al. 2017, Building an orthonormal basis, revisited]
  explicit Axes(const Vec3f& n) : z(n) {
    const float sign = std::copysign(1.0f, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
    x = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
    y = {b, sign + n.y * n.y * a, -n.y};
  }
  Vec3f out(const Vec3f& local) const { return x * local.x + y * local.y + z * local.z; }
  Vec3f in(const Vec3f& v) const { return {dot(v, x), dot(v, y), dot(v, z)}; }
};

/// At `cosine` from z, turned round it by a share `turn` of a circle.
inline Vec3f direction_at(float cosine, float turn) {
  const float sine = std::sqrt(std::max(0.0f, 1 - cosine * cosine)), angle = 2 * pi * turn;
  return {sine * std::cos(angle), sine * std::sin(angle), cosine};
}

/// About z, with density cosine / pi.
inline Vec3f cosine_direction(Pair u) {
  return direction_at(std::sqrt(1 - u.u), u.v);
}

inline Vec3f mirror(const Vec3f& direction, const Vec3f& normal) {
  return direction - normal * (2 * dot(direction, normal));
}

/// Light scattered by an angle [Henyey & Greenstein 1941], integral 1 over all directions; g > 0: mostly on.
inline float phase(float cosine, float g) {
  const float base = 1 + g * g - 2 * g * cosine;
  return (1 - g * g) / (4 * pi * base * std::sqrt(base));
}

inline Vec3f phase_direction(const Vec3f& forward, float g, Pair u) {
  float cosine = 1 - 2 * u.u;
  if (std::abs(g) > 1e-3f) {
    const float s = (1 - g * g) / (1 - g + 2 * g * u.u);
    cosine = (1 + g * g - s * s) / (2 * g);
  }
  return Axes(forward).out(direction_at(std::clamp(cosine, -1.0f, 1.0f), u.v));
}

}  // namespace silt

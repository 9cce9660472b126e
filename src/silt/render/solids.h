#pragma once

#include <optional>

#include "silt/fields/frame.h"
#include "silt/render/bricks.h"

namespace silt {

/// Obstacles of a frame, from its level set "solid". All lengths in cells.
class Solids {
 public:
  explicit Solids(const Frame& frame);

  bool any() const { return any_; }
  /// Signed distance, negative inside; beyond the volume a lower bound of it.
  float distance(const Vec3f& x) const;
  Vec3f normal(const Vec3f& x) const { return normalized(phi_.smooth_gradient(x)); }

  /// Where a ray of unit length meets a surface before t_max.
  std::optional<float> trace(const Vec3f& origin, const Vec3f& direction, float t_max) const;
  /// Share of a sun of the given angular radius that is seen from x.
  float sun_seen(const Vec3f& x, const Vec3f& to_sun, float sun_radius) const;
  /// Share of the sky above a surface that nearby solids leave open.
  float openness(const Vec3f& x, const Vec3f& normal, float reach) const;
  /// x, or when it is inside or closer than `gap`, the nearest point that is not.
  Vec3f outside(const Vec3f& x, float gap) const;

 private:
  Grid<float> phi_;  // signed distance in cells
  bool any_ = false;
};

}  // namespace silt

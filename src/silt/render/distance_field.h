#pragma once

#include <cmath>
#include <optional>
#include <string_view>

#include "silt/fields/frame.h"
#include "silt/render/bricks.h"

namespace silt {

/// What a level set of a frame is negative in: obstacles, water. All lengths in cells.
class DistanceField {
 public:
  enum class Detail {
    soft,  ///< as smooth as the splines it is sampled with
    fine,  ///< what they blur is put back, so that drops and sheets keep their size
  };
  DistanceField(const Frame& frame, std::string_view name, Detail detail = Detail::soft);

  bool any() const { return !inside_.empty(); }
  /// Where a surface may be.
  const Box& near_inside() const { return near_; }
  /// Signed distance within the volume, negative inside; `rough` is quicker.
  float at(const Vec3f& x) const { return phi_.smooth(x); }
  float rough(const Vec3f& x) const { return phi_.linear(x); }
  /// Exact near the surface only: for steps along rays.
  float near_exact(const Vec3f& x) const {
    const float d = rough(x);
    return std::abs(d) > 1.5f ? d : at(x);
  }
  /// The same anywhere; beyond the volume a lower bound of it.
  float distance(const Vec3f& x) const;
  Vec3f normal(const Vec3f& x) const { return normalized(phi_.smooth_gradient(x)); }

  /// Where a ray of unit length meets a surface before t_max.
  std::optional<float> trace(const Vec3f& origin, const Vec3f& direction, float t_max) const;
  /// Share of a sun of the given angular radius that is seen from x.
  float sun_seen(const Vec3f& x, const Vec3f& to_sun, float sun_radius) const;
  /// Share of the sky above a surface that it leaves open nearby.
  float openness(const Vec3f& x, const Vec3f& normal, float reach) const;
  /// x, or when it is inside or closer than `gap`, the nearest point that is not.
  Vec3f outside(const Vec3f& x, float gap) const;

 private:
  void sharpen();

  Grid<float> phi_;    // signed distance in cells
  Box inside_, near_;  // cells that are negative, and two more round them
};

}  // namespace silt

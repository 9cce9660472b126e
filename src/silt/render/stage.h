#pragma once

#include "silt/render/fire_light.h"
#include "silt/render/smoke_light.h"
#include "silt/render/water.h"

namespace silt {

enum class Seen : char { nothing, ground, solid, water };

/// What a ray meets first, and the light that comes from there.
struct Surface {
  Seen what = Seen::nothing;
  float t = 1e30f;  ///< along the ray [cells]
  Colour radiance;
};

/// A frame ready to be seen: smoke, fire, obstacles and water over the ground, in the light of a sun and a sky. In
/// cells.
class Stage {
 public:
  Stage(const Frame& frame, const LookParams& look, const Exec& exec);

  /// `jitter`: a number in [0, 1) that moves the samples of a march, other in each pixel.
  Surface surface(const Vec3f& origin, const Vec3f& direction, float jitter) const;
  Colour smoke_over(const Surface& behind, const Vec3f& origin, const Vec3f& direction, float step, float jitter) const;

 private:
  Colour background(const Vec3f& direction) const;
  Colour sky(const Vec3f& direction) const;
  Colour sun_at(const Vec3f& x, float jitter) const;
  Colour shade_ground(const Vec3f& x, const Vec3f& direction, float jitter) const;
  Colour shade_solid(const Vec3f& x, const Vec3f& direction) const;
  Surface find_dry(const Vec3f& origin, const Vec3f& direction) const;
  void shade_dry(Surface& surface, const Vec3f& origin, const Vec3f& direction, float jitter) const;
  Colour beyond(const Vec3f& x, const Vec3f& direction, float jitter) const;
  Colour shade_water(const Vec3f& x, const Vec3f& normal, const Vec3f& direction, float jitter) const;
  Colour mirrored(const Vec3f& x, const Vec3f& direction, float jitter) const;
  Colour under_water(Vec3f x, Vec3f direction, float jitter) const;

  DistanceField solids_;
  Fire fire_;
  Smoke smoke_;
  Water water_;
  Box cells_;
  Vec3f to_sun_, middle_;
  Colour sun_, sky_, top_, bottom_, ground_, solid_, bounce_;
  float reach_ = 1;  // half the domain's diagonal [cells]
  bool floor_ = true;
};

}  // namespace silt

#pragma once

#include "silt/render/directions.h"
#include "silt/render/image.h"
#include "silt/render/params.h"

namespace silt {

/// Of length 1; straight up when no direction is given.
Vec3f towards_sun(const LookParams& look);
/// Angular radius of the sun: a little larger than ours, for pleasant shadows.
inline constexpr float sun_radius = 0.03f;

inline float smooth_step(float lo, float hi, float x) {
  const float s = std::clamp((x - lo) / (hi - lo), 0.0f, 1.0f);
  return s * s * (3 - 2 * s);
}

inline Colour mix(const Colour& a, const Colour& b, float t) {
  return a * (1 - t) + b * t;
}

/// How a ray came to look at what is behind everything. The camera sees a dark studio; what lights the stage is a sky.
/// (A mirror of the studio would be black, and so would splashes that show nothing but it.)
enum class Seeing : char { directly, through_water, by_its_light };

/// A sun and a sky. A white wall that faces the sun is as bright as the sun's colour, one under the whole sky as the
/// sky's.
class Lights {
 public:
  explicit Lights(const LookParams& look);

  /// Light from infinitely far away without the sun.
  Colour around(const Vec3f& direction, Seeing seeing) const;
  Colour background(const Vec3f& direction) const {
    return mix(bottom_, top_, smooth_step(-0.32f, 0.30f, direction.z));
  }

  const Vec3f& to_sun() const { return axes_.z; }
  bool shines() const { return shines_; }
  bool in_sun(const Vec3f& direction) const { return dot(direction, axes_.z) > cos_radius_; }
  Vec3f sun_direction(Pair u) const { return axes_.out(direction_at(1 - u.u * (1 - cos_radius_), u.v)); }
  float sun_density() const { return density_; }         ///< of `sun_direction`, per solid angle
  const Colour& sun_light() const { return radiance_; }  ///< of the disc
  const Colour& on_floor() const { return on_floor_; }   ///< of a white floor in the open

 private:
  Axes axes_;
  float cos_radius_, density_;
  Colour radiance_, sky_, top_, bottom_, on_floor_;
  bool shines_, even_;
};

}  // namespace silt

#pragma once

#include <optional>

#include "silt/render/distance_field.h"
#include "silt/render/image.h"
#include "silt/render/params.h"

namespace silt {

/// The body of water of a frame: where its level set "surface" is negative, cut off at the domain's walls as by glass.
/// Positions and lengths in cells.
class Water {
 public:
  Water(const Frame& frame, const LookParams& look);

  bool any() const { return shape_.any(); }
  bool inside(const Vec3f& x) const;
  const DistanceField& shape() const { return shape_; }

  /// Where a ray of unit length passes the surface, and the direction out of the water there.
  struct Crossing {
    float t = 0;
    Vec3f normal;
  };
  /// The first from outside, before t_max.
  std::optional<Crossing> enter(const Vec3f& origin, const Vec3f& direction, float t_max) const;
  /// The next from inside.
  Crossing leave(const Vec3f& origin, const Vec3f& direction) const;

  /// How much of a ray from x lies in water.
  float length_along(const Vec3f& x, const Vec3f& direction) const;
  /// Share of light that is left after a way through water.
  Colour through(float length) const;
  /// Share that comes back out of water so deep, of light that fell on it.
  Colour scattered(float length) const;

 private:
  float distance(const Vec3f& x) const { return shape_.near_exact(x); }
  Crossing surface_between(const Vec3f& origin, const Vec3f& direction, float outside, float inside) const;
  Vec3f side_normal(const Vec3f& x) const;

  DistanceField shape_;
  Box box_;
  Colour absorption_;  // [1/cell]
};

/// Share of light that a smooth surface of water reflects, for unpolarised light [Fresnel]. `cosine` is of the angle in
/// the medium the light comes from; `from_water`: light that wants to get out, all of it reflected when it is flat.
float water_reflectance(float cosine, bool from_water);

/// A direction of length 1 bent by the surface [Snell]; nothing when all light is reflected. `normal` is on the side
/// the light comes from.
std::optional<Vec3f> bend(const Vec3f& direction, const Vec3f& normal, bool from_water);

inline Vec3f mirror(const Vec3f& direction, const Vec3f& normal) {
  return direction - normal * (2 * dot(direction, normal));
}

}  // namespace silt

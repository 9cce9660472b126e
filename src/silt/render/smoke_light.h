#pragma once

#include "silt/core/exec.h"
#include "silt/render/distance_field.h"
#include "silt/render/fire_light.h"
#include "silt/render/params.h"

namespace silt {

/// How much light reaches a point inside smoke.
struct Lighting {
  float sun_depth = 0;  ///< optical depth of smoke towards the sun
  float sun = 1;        ///< share of the sun that solids leave in sight
  float sky = 1;        ///< share of the sky's light that arrives, softened for light scattered many times
  float ground = 1;     ///< the same for light from below
  float emission = 0;   ///< temperature of what glows [K], 0 when nothing does

  friend Lighting operator*(const Lighting& a, float s) {
    return {a.sun_depth * s, a.sun * s, a.sky * s, a.ground * s, a.emission * s};
  }
  friend Lighting operator+(const Lighting& a, const Lighting& b) {
    return {a.sun_depth + b.sun_depth, a.sun + b.sun, a.sky + b.sky, a.ground + b.ground, a.emission + b.emission};
  }
};

/// The smoke of a frame, ready for light: positions and lengths in cells, `extinction` in 1/cell.
class Smoke {
 public:
  /// `fire` may be brighter than nothing where there is no smoke; rays must not step over that.
  Smoke(const Frame& frame, const LookParams& look, const DistanceField& solids, const Fire& fire, const Exec& exec);

  bool any() const { return bricks_.any(); }
  const Box& cells() const { return extinction_.cells(); }
  const Bricks& bricks() const { return bricks_; }
  float extinction(const Vec3f& x) const { return extinction_.smooth(x); }
  Lighting lighting(const Vec3f& x) const { return lighting_.linear(x); }
  /// Share of each colour of light that survives a scattering at x, where `k` is the extinction there: both are sampled
  /// alike, so that their ratio is a mean of colours up to the very edge.
  Colour albedo(const Vec3f& x, float k) const { return coloured_.empty() ? plain_ : coloured_.smooth(x) * (1 / k); }
  bool glows() const { return glows_; }

  /// Optical depth of the whole ray of unit length from x. `jitter` in [0, 1) moves the samples.
  float depth_along(const Vec3f& x, const Vec3f& direction, float jitter) const;
  /// Share of the sky's light that smoke lets through to x, which may lie outside the volume.
  float sky_at(const Vec3f& x) const;

 private:
  void light_from_sun(const DistanceField& solids, const Vec3f& to_sun, const Exec& exec);
  void light_from_around(const Exec& exec);
  void sharpen(const Exec& exec);
  void read_colour(const Frame& frame, const Exec& exec);
  void read_temperature(const Frame& frame);

  Grid<float> extinction_;
  Grid<Lighting> lighting_;
  Grid<Colour> coloured_;  ///< extinction times colour, so that colours mix by amount; empty: all smoke is plain
  Colour plain_;
  Bricks bricks_;
  bool glows_ = false;
};

/// Of length 1; straight up when no direction is given.
Vec3f towards_sun(const LookParams& look);
/// Angular radius of the sun: a little larger than ours, for pleasant shadows.
inline constexpr float sun_radius = 0.03f;

}  // namespace silt

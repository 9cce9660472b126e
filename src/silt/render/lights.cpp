#include "silt/render/lights.h"

namespace silt {

Vec3f towards_sun(const LookParams& look) {
  const Vec3d d = normalized(look.sun_direction);
  return dot(d, d) > 0 ? d.as<float>() : Vec3f{0, 0, 1};
}

/// A disc of radiance L and angular radius r lights a wall that faces it by E = pi sin^2(r) L, and a white wall shows
/// E / pi.
Lights::Lights(const LookParams& look)
    : axes_(towards_sun(look)),
      cos_radius_(std::cos(sun_radius)),
      density_(1 / (2 * pi * (1 - cos_radius_))),
      radiance_(look.sun_colour.as<float>() * (1 / (std::sin(sun_radius) * std::sin(sun_radius)))),
      sky_(look.sky_colour.as<float>()),
      top_(look.background_top.as<float>()),
      bottom_(look.background_bottom.as<float>()),
      shines_(length(radiance_) > 0),
      even_(look.sky_colour == look.background_top && look.sky_colour == look.background_bottom) {
  on_floor_ = look.sun_colour.as<float>() * std::max(axes_.z.z, 0.0f) + sky_;
}

/// The sky is brightest at the horizon; its mean over a floor, weighted by cosine, is 0.9 + 2.4 * 2 * 0.0568 = 1.173
/// times what stands before it. Light that is even all around stays so.
Colour Lights::around(const Vec3f& direction, Seeing seeing) const {
  if (even_) return sky_;
  const Colour studio = background(direction);
  if (seeing == Seeing::directly) return studio;
  const Colour sky = sky_ * ((0.9f + 2.4f * std::exp(-4 * std::max(direction.z, 0.0f))) / 1.173f);
  const float share = smooth_step(-0.12f, 0.06f, direction.z) * (seeing == Seeing::through_water ? 0.4f : 1.0f);
  return mix(studio, sky, share);
}

}  // namespace silt

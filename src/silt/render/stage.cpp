#include "silt/render/stage.h"

#include <algorithm>
#include <cmath>

namespace silt {
namespace {

float smooth_step(float lo, float hi, float x) {
  const float s = std::clamp((x - lo) / (hi - lo), 0.0f, 1.0f);
  return s * s * (3 - 2 * s);
}

Colour mix(Colour a, Colour b, float t) {
  return a * (1 - t) + b * t;
}

}  // namespace

Stage::Stage(const Frame& frame, const LookParams& look, const Exec& exec)
    : solids_(frame, "solid"),
      fire_(frame, look),
      smoke_(frame, look, solids_, fire_, exec),
      water_(frame, look),
      cells_(frame.domain.cells),
      to_sun_(towards_sun(look)),
      sun_(look.sun_colour.as<float>()),
      sky_(look.sky_colour.as<float>()),
      top_(look.background_top.as<float>()),
      bottom_(look.background_bottom.as<float>()),
      ground_(look.ground_colour.as<float>()),
      solid_(look.solid_colour.as<float>()) {
  const Vec3f n = cells_.size().as<float>();
  middle_ = 0.5f * (cells_.lo + cells_.hi).as<float>();
  reach_ = 0.5f * length(n);
  floor_ = !(water_.any() && frame.domain.side(2, 0) == Side::open);  // water falls on, out of the domain
  bounce_ = ground_ * (sun_ * std::max(to_sun_.z, 0.0f) + sky_) * 0.8f;
}

Colour Stage::background(const Vec3f& direction) const {
  return mix(bottom_, top_, smooth_step(-0.32f, 0.30f, direction.z));
}

/// What water mirrors: brightest near the horizon. (The picture's background is a dark studio; a mirror of that would
/// be black.)
Colour Stage::sky(const Vec3f& direction) const {
  return sky_ * (0.9f + 2.4f * std::exp(-4 * std::max(direction.z, 0.0f)));
}

/// Light of the sun: hidden by solids, dimmed by smoke and by water, which also bends a part of it elsewhere.
Colour Stage::sun_at(const Vec3f& x, float jitter) const {
  const float seen = solids_.sun_seen(x, to_sun_, sun_radius);
  if (seen <= 0) return {};
  const float wet = water_.length_along(x, to_sun_);
  const Colour sun = sun_ * (seen * std::exp(-smoke_.depth_along(x, to_sun_, jitter)));
  return wet > 0 ? sun * water_.through(wet) * (0.7f + 0.3f * std::exp(-wet)) : sun;
}

/// A lit floor round the domain that sinks into the background with distance: a studio, without a horizon.
Colour Stage::shade_ground(const Vec3f& x, const Vec3f& direction, float jitter) const {
  const Vec3f up{0, 0, 1}, d = x - Vec3f{middle_.x, middle_.y, x.z};
  const float lit = std::exp(-dot(d, d) / (2.2f * 2.2f * reach_ * reach_));
  if (lit < 1e-3f) return background(direction);
  const Colour sun = sun_at(x, jitter) * std::max(to_sun_.z, 0.0f);
  Colour sky = sky_ * (smoke_.sky_at(x) * solids_.openness(x, up, 0.35f * reach_));
  if (water_.any()) {
    const float above = water_.length_along(x, up);  // beside water its body hides a part of the sky
    sky = sky * water_.through(above);
    sky *= 1 - 0.6f * std::exp(-above) * (1 - water_.shape().openness(x, up, 0.2f * reach_));
  }
  return mix(background(direction), ground_ * (sun + sky + fire_.on_surface(x, up)), lit);
}

Colour Stage::shade_solid(const Vec3f& x, const Vec3f& direction) const {
  const Vec3f n = solids_.normal(x), above = x + n * 1.0f;
  const float facing = dot(n, to_sun_);
  // No jitter here: smoke begins abruptly at a solid, and moving the samples from pixel to pixel would show as a
  // pattern.
  const Colour sun = facing > 0 ? sun_at(x + n * 0.3f, 0.5f) : Colour{};
  const float open = smoke_.sky_at(above), up = 0.5f + 0.5f * n.z;
  const float height = (x.z - float(cells_.lo.z)) / reach_;
  const Colour around = mix(bounce_ * smooth_step(-0.3f, 0.5f, height), sky_, up) * open;
  // A plain matt paint with a soft highlight, and a brighter edge where the surface is seen at a grazing angle.
  const Vec3f half = normalized(to_sun_ - direction);
  const Colour shine = sun * (0.10f * std::pow(std::max(dot(n, half), 0.0f), 40.0f));
  const float grazing = std::pow(std::clamp(1 + dot(n, direction), 0.0f, 1.0f), 4.0f);
  return solid_ * (sun * std::max(facing, 0.0f) + around + fire_.on_surface(x, n)) + shine +
         sky_ * (0.35f * grazing * open);
}

/// The ground or a solid, whichever is first.
Surface Stage::find_dry(const Vec3f& origin, const Vec3f& direction) const {
  Surface s;
  const float floor = float(cells_.lo.z);
  if (floor_ && direction.z < 0 && origin.z > floor) s.t = (floor - origin.z) / direction.z, s.what = Seen::ground;
  if (const auto hit = solids_.trace(origin, direction, s.t)) s.t = *hit, s.what = Seen::solid;
  return s;
}

void Stage::shade_dry(Surface& s, const Vec3f& origin, const Vec3f& direction, float jitter) const {
  const Vec3f x = origin + direction * (s.what == Seen::nothing ? 0 : s.t);
  s.radiance = s.what == Seen::solid    ? shade_solid(x, direction)
               : s.what == Seen::ground ? shade_ground(x, direction, jitter)
                                        : background(direction);
}

/// What is seen through water: where that is nothing, a part of the sky, or splashes were black in the dark studio.
Colour Stage::beyond(const Vec3f& x, const Vec3f& direction, float jitter) const {
  Surface s = find_dry(x, direction);
  shade_dry(s, x, direction, jitter);
  return s.what == Seen::nothing ? mix(s.radiance, sky(direction), 0.4f) : s.radiance;
}

Surface Stage::surface(const Vec3f& origin, const Vec3f& direction, float jitter) const {
  Surface s = find_dry(origin, direction);
  if (water_.inside(origin))
    return {Seen::water, std::min(s.t, water_.leave(origin, direction).t), under_water(origin, direction, jitter)};
  if (const auto hit = water_.enter(origin, direction, s.t))
    return {Seen::water, hit->t, shade_water(origin + direction * hit->t, hit->normal, direction, jitter)};
  shade_dry(s, origin, direction, jitter);
  return s;
}

constexpr float skin = 0.05f;  ///< rays begin so far off the surface of water that they leave [cells]

/// What is mirrored and what is seen within, in shares that depend on the angle; and the sun's glint.
Colour Stage::shade_water(const Vec3f& x, const Vec3f& normal, const Vec3f& direction, float jitter) const {
  const float share = water_reflectance(-dot(direction, normal), false);
  const Vec3f mirror_way = mirror(direction, normal);
  const Vec3f way_in = bend(direction, normal, false).value_or(direction);
  const Colour inside = under_water(x - normal * skin, way_in, jitter);
  return mirrored(x + normal * skin, mirror_way, jitter) * share + inside * (1 - share);
}

Colour Stage::mirrored(const Vec3f& x, const Vec3f& direction, float jitter) const {
  Surface hit = find_dry(x, direction);
  const float above = hit.what == Seen::solid ? 0 : smooth_step(-0.12f, 0.10f, direction.z);
  Colour light = sky(direction) * above;
  if (above < 1) shade_dry(hit, x, direction, jitter), light += hit.radiance * (1 - above);
  if (hit.what == Seen::solid) return light;
  const float off = std::max(dot(direction, to_sun_), 0.0f);
  if (off > 0.9f) {
    const float glint = 60 * std::pow(off, 1500.0f) + 1.5f * std::pow(off, 120.0f);
    light += sun_ * (glint * solids_.sun_seen(x, to_sun_, sun_radius));
  }
  return light;
}

/// Light that comes to x within the water from the other end of a ray: swallowed on its way, a little of it scattered;
/// at the surface what comes through from outside, and what is mirrored back in from another part of the water.
Colour Stage::under_water(Vec3f x, Vec3f direction, float jitter) const {
  const Colour around = sun_ * std::max(to_sun_.z, 0.0f) + sky_;
  Colour light, weight{1, 1, 1};
  for (int part = 0; part < 4; ++part) {
    const Water::Crossing end = water_.leave(x, direction);
    Surface s = find_dry(x, direction);
    const float length = std::min(end.t, s.t);
    light += weight * water_.scattered(length) * around;
    weight = weight * water_.through(length);
    if (s.t < end.t + 2 * skin) {  // the floor lies on the water's lower side
      shade_dry(s, x, direction, jitter);
      return light + weight * s.radiance;
    }
    const Vec3f at = x + direction * end.t;
    const float mirrored_share = water_reflectance(dot(direction, end.normal), true);
    if (const auto out = bend(direction, -end.normal, true))
      light += weight * beyond(at + end.normal * skin, *out, jitter) * (1 - mirrored_share);
    if (mirrored_share < 0.1f) return light;
    weight *= mirrored_share;
    x = at - end.normal * skin;
    direction = mirror(direction, end.normal);
  }
  return light + weight * sky_;
}

/// Front to back: L += T (1 - exp(-k ds)) S, T *= exp(-k ds). With the optical depth d to the sun, the source S adds
/// light scattered once, p(angle) exp(-d); light scattered often, m exp(-0.6 d) (1 - 0.6 exp(-d)), which is weak at the
/// lit skin and reaches deeper; light from the sky and the ground, and of flames; and heat. Flames add light of
/// their own, j ds, that smoke in front of them dims.
Colour Stage::smoke_over(const Surface& behind, const Vec3f& origin, const Vec3f& direction, float step,
                         float jitter) const {
  if (!smoke_.any()) return behind.radiance;
  const Span span = clip(smoke_.cells(), origin, direction);
  const float end = std::min(span.t1, behind.t);
  constexpr float g = 0.35f, many = 1.15f;  // forward scattering [Henyey-Greenstein], and weight of many scatterings
  const float angle = dot(direction, to_sun_), base = 1 + g * g - 2 * g * angle;
  const float once = 0.25f * (1 - g * g) / (base * std::sqrt(base));  // 1/4: E / (4 pi) in units of E / pi

  Colour light;
  float through = 1;
  // Smoke ends abruptly at a solid: shorter steps there, or the jitter shows as a pattern.
  const float fine_from = behind.what == Seen::solid ? end - 3 : end;
  for (float t = span.t0, ds = 0; t < end; t += ds) {
    const float reach = t < fine_from ? step : 0.2f * step;
    ds = std::min(reach, end - t);
    const Vec3f x = origin + direction * (t + jitter * ds);
    if (!smoke_.bricks().full(x)) {
      t += reach * std::floor(smoke_.bricks().to_exit(x, direction) / reach);
      continue;
    }
    const float k = smoke_.extinction(x);
    const float stopped = 1 - std::exp(-k * ds);
    if (fire_.any()) light += fire_.emission(x) * (through * (k * ds > 1e-3f ? stopped / k : ds));
    if (k < 1e-6f) continue;
    const Lighting l = smoke_.lighting(x);
    const float deep = std::exp(-0.6f * l.sun_depth), skin = std::exp(-l.sun_depth);
    const float sun = l.sun * (once * skin + many * deep * (1 - 0.6f * skin));
    Colour around = sun_ * sun + sky_ * (0.5f * l.sky) + bounce_ * (0.5f * l.ground);
    if (fire_.any()) around += fire_.in_smoke(x);
    Colour source = smoke_.albedo(x, k) * around;
    if (smoke_.glows()) source += black_body(l.emission);
    light += source * (through * stopped);
    through *= 1 - stopped;
    if (through < 3e-3f) return light * (1 / (1 - through));
  }
  return light + behind.radiance * through;
}

}  // namespace silt

#include "silt/render/grains.h"

#include "silt/core/random.h"
#include "silt/fields/particles.h"
#include "silt/render/exposure.h"
#include "silt/render/lights.h"

namespace silt {
namespace {

float random_of(std::uint64_t particle, int grain, int what) {
  return float(random_unit(particle, std::uint64_t(grain), std::uint64_t(what)));
}

/// What grains of one sand differ by: most a little, in brightness and warmth; some are of pale quartz, some of dark
/// minerals. `u` and `v` are even in [0, 1).
Colour grain_of(const Colour& base, float u, float v) {
  constexpr float pale = 0.10f, dark = 0.07f;  // shares
  const float bright = 0.78f + 0.44f * v, warm = 0.08f * (2 * u - 1);
  Colour out = base * bright;
  out.x *= 1 + warm, out.z *= 1 - warm;
  if (u < pale) out = mix(out, Colour{1, 1, 1} * (0.2f + luminance(base)), 0.45f);
  if (u > 1 - dark) out = out * 0.35f;
  for (int a = 0; a < 3; ++a) out[a] = std::min(out[a], 1.0f);
  return out;
}

}  // namespace

GrainBalls::GrainBalls(const Points& points, const LookParams& look, int each)
    : each_(each), plain_(look.grain_colour.as<float>()) {
  if (points.colour.size() == points.count())
    for (const std::uint32_t c : points.colour)
      colours_.push_back(
          c == no_colour ? plain_ : Colour{float(c >> 16 & 255), float(c >> 8 & 255), float(c & 255)} * (1.0f / 255));
  if (points.id.size() == points.count()) ids_ = points.id;
  for (const Attribute& a : points.attributes)
    if (a.name == "wetness" && a.values.size() == points.count()) wetness_ = a.values;
}

/// Evenly in the particle's ball, but so that none sticks out far.
Vec3f GrainBalls::offset(std::size_t particle, int grain) const {
  if (each_ == 1) return {};
  const std::uint64_t id = id_of(particle);
  const float r = 0.9f * std::cbrt(random_of(id, grain, 0));
  return direction_at(1 - 2 * random_of(id, grain, 1), random_of(id, grain, 2)) * r;
}

/// Together three quarters as large as the particle's ball, which overlaps its neighbours'; no two alike.
float GrainBalls::radius(std::size_t particle, int grain) const {
  if (each_ == 1) return 1;
  return (0.65f + 0.5f * random_of(id_of(particle), grain, 3)) / std::cbrt(float(each_));
}

Coated GrainBalls::surface(std::size_t ball) const {
  const std::size_t particle = ball / std::size_t(each_);
  const int grain = int(ball % std::size_t(each_));
  const Colour base = colours_.empty() ? plain_ : colours_[particle];
  Coated dry{base, 0, 0.5f};
  if (base != Colour{1, 1, 1})  // white stays so
    dry.albedo = grain_of(base, random_of(id_of(particle), grain, 4), random_of(id_of(particle), grain, 5));
  return wetness_.empty() ? dry : wetted(dry, wetness_[particle]);
}

Coated wetted(Coated dry, float wetness) {
  const float w = wetness > 0 ? std::min(wetness, 1.0f) : 0;  // NaN is dry
  for (int a = 0; a < 3; ++a) dry.albedo[a] = std::pow(std::max(dry.albedo[a], 0.0f), 1 + 0.9f * w);
  dry.film = std::max(dry.film, w);
  dry.roughness = dry.roughness * (1 - w) + 0.12f * w;
  return dry;
}

}  // namespace silt

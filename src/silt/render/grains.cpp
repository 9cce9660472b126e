#include "silt/render/grains.h"

#include "silt/core/random.h"
#include "silt/render/lights.h"

namespace silt {
namespace {

float random_of(std::size_t particle, int grain, int what) {
  return float(random_unit(particle, std::uint64_t(grain), std::uint64_t(what)));
}

}  // namespace

int grains_per_particle(const Points& points, const LookParams& look) {
  constexpr double wanted = 2e6;
  if (look.grains) return *look.grains;
  return int(std::clamp(wanted / double(std::max<std::size_t>(points.count(), 1)), 1.0, 8.0));
}

Grains::Grains(const Points& points, const LookParams& look, int each)
    : each_(each), plain_(look.grain_colour.as<float>()) {
  if (points.colour.size() == points.count())
    for (const std::uint32_t c : points.colour)
      colours_.push_back(Colour{float(c >> 16 & 255), float(c >> 8 & 255), float(c & 255)} * (1.0f / 255));
  for (const Attribute& a : points.attributes)
    if (a.name == "wetness" && a.values.size() == points.count()) wetness_ = a.values;
}

/// Evenly in the particle's ball, but so that none sticks out far.
Vec3f Grains::offset(std::size_t particle, int grain) const {
  if (each_ == 1) return {};
  const float r = 0.9f * std::cbrt(random_of(particle, grain, 0));
  return direction_at(1 - 2 * random_of(particle, grain, 1), random_of(particle, grain, 2)) * r;
}

/// Together as large as the particle, a little over so that heaps are not seen through; no two alike.
float Grains::radius(std::size_t particle, int grain) const {
  if (each_ == 1) return 1;
  return (0.8f + 0.5f * random_of(particle, grain, 3)) / std::cbrt(float(each_));
}

Coated Grains::surface(std::size_t ball) const {
  const std::size_t particle = ball / std::size_t(each_);
  const Colour base = colours_.empty() ? plain_ : colours_[particle];
  const float shade = 0.25f * (2 * random_of(particle, int(ball % std::size_t(each_)), 4) - 1);
  Coated dry{mix(base, shade < 0 ? base * 0.4f : Colour{1, 1, 1}, shade < 0 ? -shade : 0.35f * shade), 0, 0.5f};
  if (base == Colour{1, 1, 1}) dry.albedo = base;  // white stays so
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

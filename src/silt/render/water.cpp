#include "silt/render/water.h"

#include <algorithm>
#include <cmath>

namespace silt {
namespace {

constexpr float refractive_index = 1.333f;

Colour attenuation(const Colour& per_cell, float length) {
  return {std::exp(-per_cell.x * length), std::exp(-per_cell.y * length), std::exp(-per_cell.z * length)};
}

}  // namespace

Water::Water(const Frame& frame, const LookParams& look)
    : shape_(frame, "surface", DistanceField::Detail::fine), box_(shape_.near_inside()) {
  for (int a = 0; a < 3; ++a) {
    const Box& domain = frame.domain.cells;
    if (frame.domain.side(a, 0) != Side::open) box_.lo[a] = std::max(box_.lo[a], domain.lo[a]);
    if (frame.domain.side(a, 1) != Side::open) box_.hi[a] = std::min(box_.hi[a], domain.hi[a]);
  }
  const Vec3d size = frame.domain.upper() - frame.domain.lower();
  const double depth = look.water_depth.value_or(0.5 * std::min(size.x, size.y)) / frame.domain.lattice.h;
  for (int a = 0; a < 3; ++a)
    absorption_[a] = float(-std::log(std::clamp(look.water_colour[a], 1e-4, 1.0)) / std::max(depth, 1e-6));
}

bool Water::inside(const Vec3f& x) const {
  if (!any()) return false;
  for (int a = 0; a < 3; ++a)
    if (x[a] < float(box_.lo[a]) || x[a] > float(box_.hi[a])) return false;
  return distance(x) < 0;
}

/// Halves an interval at whose ends the ray is outside and inside.
Water::Crossing Water::surface_between(const Vec3f& origin, const Vec3f& direction, float outside, float inside) const {
  for (int i = 0; i < 12; ++i) {
    const float middle = 0.5f * (outside + inside);
    (distance(origin + direction * middle) < 0 ? inside : outside) = middle;
  }
  const float t = 0.5f * (outside + inside);
  return {t, shape_.normal(origin + direction * t)};
}

/// Of the side of the box that x lies on.
Vec3f Water::side_normal(const Vec3f& x) const {
  Vec3f normal{};
  float nearest = 1e30f;
  for (int a = 0; a < 3; ++a)
    for (const int end : {0, 1}) {
      const float d = std::abs(x[a] - float(end ? box_.hi[a] : box_.lo[a]));
      if (d >= nearest) continue;
      nearest = d, normal = {};
      normal[a] = end ? 1.0f : -1.0f;
    }
  return normal;
}

// Steps are shorter than the distance: a level set need not be one exactly, and is smoothed here.
constexpr float stride = 0.8f, least_step = 0.05f;
constexpr int most_steps = 2000;

std::optional<Water::Crossing> Water::enter(const Vec3f& origin, const Vec3f& direction, float t_max) const {
  if (!any()) return {};
  const Span span = clip(box_, origin, direction);
  const float end = std::min(span.t1, t_max);
  if (!(span.t0 < end)) return {};
  float before = span.t0, d = distance(origin + direction * before);
  if (d < 0) return Crossing{before, before > 0 ? side_normal(origin + direction * before) : -direction};
  for (int step = 0; step < most_steps && before < end; ++step) {
    const float t = std::min(before + std::max(stride * d, least_step), end);
    d = distance(origin + direction * t);
    if (d < 0) return surface_between(origin, direction, before, t);
    before = t;
  }
  return {};
}

Water::Crossing Water::leave(const Vec3f& origin, const Vec3f& direction) const {
  const float end = std::max(clip(box_, origin, direction).t1, 0.0f);
  float before = 0, d = distance(origin);
  for (int step = 0; step < most_steps && before < end; ++step) {
    const float t = std::min(before + std::max(-stride * d, least_step), end);
    d = distance(origin + direction * t);
    if (d >= 0) return surface_between(origin, direction, t, before);
    before = t;
  }
  return {end, side_normal(origin + direction * end)};
}

float Water::length_along(const Vec3f& x, const Vec3f& direction) const {
  if (!any()) return 0;
  const Span span = clip(box_, x, direction);
  float length = 0;
  for (float t = span.t0, ds = 0; t < span.t1; t += ds) {
    const float d = shape_.rough(x + direction * t);
    ds = std::min(std::max(stride * std::abs(d), 0.5f), span.t1 - t);
    length += ds * std::clamp(0.5f - d, 0.0f, 1.0f);  // a soft edge
  }
  return length;
}

Colour Water::through(float length) const {
  return attenuation(absorption_, length);
}

/// A little of what is swallowed comes back: more of those colours that go further.
Colour Water::scattered(float length) const {
  const Colour gone = Colour{1, 1, 1} - through(length);
  const float most = std::max({absorption_.x, absorption_.y, absorption_.z, 1e-6f});
  Colour out;
  for (int a = 0; a < 3; ++a) out[a] = 0.12f * gone[a] * std::pow(1 - 0.85f * absorption_[a] / most, 2.0f);
  return out;
}

float water_reflectance(float cosine, bool from_water) {
  const float ratio = from_water ? refractive_index : 1 / refractive_index;
  const float c = std::clamp(cosine, 0.0f, 1.0f), sine2 = ratio * ratio * (1 - c * c);
  if (sine2 >= 1) return 1;
  const float beyond = std::sqrt(1 - sine2);
  const float across = (ratio * c - beyond) / (ratio * c + beyond), along = (c - ratio * beyond) / (c + ratio * beyond);
  return 0.5f * (across * across + along * along);
}

std::optional<Vec3f> bend(const Vec3f& direction, const Vec3f& normal, bool from_water) {
  const float ratio = from_water ? refractive_index : 1 / refractive_index;
  const float c = std::clamp(-dot(direction, normal), 0.0f, 1.0f), sine2 = ratio * ratio * (1 - c * c);
  if (sine2 >= 1) return {};
  return normalized(direction * ratio + normal * (ratio * c - std::sqrt(1 - sine2)));
}

}  // namespace silt

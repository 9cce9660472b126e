#include "silt/render/distance_field.h"

namespace silt {

DistanceField::DistanceField(const Frame& frame, std::string_view name, Detail detail) {
  const Volume* volume = frame.find(name);
  if (!volume || volume->values.empty()) return;
  phi_ = make_grid(*volume);
  const float per_cell = float(1 / frame.domain.lattice.h);
  for (int z = phi_.cells().lo.z; z < phi_.cells().hi.z; ++z)
    for (int y = phi_.cells().lo.y; y < phi_.cells().hi.y; ++y)
      for (int x = phi_.cells().lo.x; x < phi_.cells().hi.x; ++x) {
        float& phi = phi_.at({x, y, z});
        phi *= per_cell;
        if (phi < 0) inside_ = hull(inside_, {{x, y, z}, {x + 1, y + 1, z + 1}});
      }
  if (any()) near_ = intersect(grow(inside_, {2, 2, 2}), phi_.cells());
  if (detail == Detail::fine) sharpen();
}

/// The splines blur by (1, 6, 1) / 8 along each axis: undone to first order.
void DistanceField::sharpen() {
  const Grid<float> before = phi_;
  const Box& b = phi_.cells();
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) {
        const Cell c{x, y, z};
        const float here = before.at(c);
        float sum = 0;
        for (int axis = 0; axis < 3; ++axis)
          for (const Int3 step : {unit(axis), -unit(axis)})
            sum += here - (b.contains(c + step) ? before.at(c + step) : here);
        phi_.at(c) = here + sum / 8;
      }
}

float DistanceField::distance(const Vec3f& x) const {
  const Vec3f inside = max(min(x, phi_.cells().hi.as<float>()), phi_.cells().lo.as<float>());
  return std::max(phi_.smooth(inside), length(x - inside));
}

/// Sphere tracing [Hart 1996].
std::optional<float> DistanceField::trace(const Vec3f& origin, const Vec3f& direction, float t_max) const {
  if (!any()) return {};
  const Span span = clip(near_, origin, direction);
  const float end = std::min(span.t1, t_max);
  float t = span.t0;
  for (int step = 0; step < 256 && t < end; ++step) {
    const float d = near_exact(origin + direction * t);
    if (d < 0.01f) return t;
    t += std::max(0.9f * d, 0.02f);
  }
  return {};
}

/// The narrowest pass of the ray beside it, as an angle against the sun's [Aaltonen 2018, "improved" soft shadows,
/// in its simplest form].
float DistanceField::sun_seen(const Vec3f& x, const Vec3f& to_sun, float sun_radius) const {
  if (!any()) return 1;
  const Span span = clip(phi_.cells(), x, to_sun);
  float seen = 1, t = std::max(span.t0, 0.05f);
  for (int step = 0; step < 160 && t < span.t1; ++step) {
    const float d = phi_.smooth(x + to_sun * t);
    seen = std::min(seen, 0.5f + 0.5f * d / (sun_radius * t));
    if (seen <= 0) return 0;
    t += std::max(0.6f * std::abs(d), 0.15f);
  }
  return seen * seen * (3 - 2 * seen);
}

float DistanceField::openness(const Vec3f& x, const Vec3f& n, float reach) const {
  if (!any()) return 1;
  float closed = 0, weight = 0.5f;
  for (int i = 1; i <= 5; ++i) {
    const float s = reach * float(i * i) / 25;
    closed += weight * std::clamp(1 - distance(x + n * s) / s, 0.0f, 1.0f);
    weight *= 0.7f;
  }
  return std::clamp(1 - 0.75f * closed, 0.0f, 1.0f);
}

Vec3f DistanceField::outside(const Vec3f& x, float gap) const {
  if (!any()) return x;
  const float d = distance(x);
  return d >= gap ? x : x + normal(x) * (gap - d);
}

}  // namespace silt

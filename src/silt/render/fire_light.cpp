#include "silt/render/fire_light.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace silt {

namespace {

/// Without one given: see LookParams::flame_scale. [1/m]
double default_flame_scale(const Domain& domain) {
  const Vec3d extent = domain.upper() - domain.lower();
  return 8 / std::min(extent.x, extent.y);
}

template <class Visit>
void for_each(const Box& b, const Visit& visit) {
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x) visit(Cell{x, y, z});
}

}  // namespace

Colour black_body(float kelvin) {
  if (kelvin <= glow_from) return {};
  const float s = (kelvin - glow_from) / 750;
  return Colour{1.0f, 0.32f * std::min(s, 2.0f), 0.07f * std::min(s * s, 6.0f)} * (6 * s * s);
}

float fade_at_open_sides(const Domain& domain, Cell c) {
  float fade = 1;
  for (int axis = 0; axis < 3; ++axis)
    for (int end = 0; end < 2; ++end) {
      if (domain.side(axis, end) != Side::open) continue;
      const float width = 0.06f * float(domain.cells.size()[axis]);
      const float depth = 0.5f + float(end ? domain.cells.hi[axis] - 1 - c[axis] : c[axis] - domain.cells.lo[axis]);
      const float s = std::clamp(depth / width, 0.0f, 1.0f);
      fade *= s * s * (3 - 2 * s);
    }
  return fade;
}

Fire::Fire(const Frame& frame, const LookParams& look) {
  const Volume* flame = frame.find("flame");
  const Volume* temperature = frame.find("temperature");
  if (!flame || !temperature || flame->values.empty()) return;
  const double scale = look.flame_scale.value_or(default_flame_scale(frame.domain)) * frame.domain.lattice.h;
  emission_ = Grid<Colour>(flame->cells);
  for_each(flame->cells, [&](Cell c) {
    const float burning = flame->at(c), kelvin = temperature->at(c);
    if (!(burning > 0) || !std::isfinite(burning) || !std::isfinite(kelvin)) return;
    emission_.at(c) = black_body(kelvin) * (float(scale) * burning * fade_at_open_sides(frame.domain, c));
  });
  gather_lamps();
}

/// A lamp for each eighth of the domain's height that burns.
void Fire::gather_lamps() {
  constexpr int slabs = 8;
  std::array<Lamp, slabs> lamp;
  std::array<double, slabs> weight{}, square{};
  std::array<Vec3d, slabs> middle{};
  const Box& cells = emission_.cells();
  const int height = cells.size().z;
  for_each(cells, [&](Cell c) {
    const Colour j = emission_.at(c);
    const double w = j.x + j.y + j.z;
    if (!(w > 0)) return;
    const int i = (c.z - cells.lo.z) * slabs / height;
    const Vec3d x = c.as<double>() + Vec3d{0.5, 0.5, 0.5};
    lamp[i].power += j;
    weight[i] += w, middle[i] += x * w, square[i] += dot(x, x) * w;
  });
  for (int i = 0; i < slabs; ++i) {
    if (!(weight[i] > 0)) continue;
    const Vec3d m = middle[i] / weight[i];
    lamp[i].position = m.as<float>();
    lamp[i].size2 = float(std::max(1.0, square[i] / weight[i] - dot(m, m)));
    lamps_.push_back(lamp[i]);
  }
}

/// E = sum of power / distance^2; a white wall shows E / pi.
Colour Fire::on_surface(const Vec3f& x, const Vec3f& n) const {
  Colour sum;
  for (const Lamp& lamp : lamps_) {
    const Vec3f d = lamp.position - x;
    const float d2 = dot(d, d) + lamp.size2, facing = std::max(0.0f, dot(n, d)) / std::sqrt(d2);
    sum += lamp.power * (facing / (std::numbers::pi_v<float> * d2));
  }
  return sum;
}

/// Smoke scatters it to all sides alike.
Colour Fire::in_smoke(const Vec3f& x) const {
  Colour sum;
  for (const Lamp& lamp : lamps_) {
    const Vec3f d = lamp.position - x;
    sum += lamp.power * (0.25f / (std::numbers::pi_v<float> * (dot(d, d) + lamp.size2)));
  }
  return sum;
}

}  // namespace silt

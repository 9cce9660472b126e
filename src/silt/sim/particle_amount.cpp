#include <algorithm>
#include <array>
#include <cmath>

#include "silt/sim/estimate_parts.h"

namespace silt {
namespace {

constexpr int looks = 40;      // along an axis of what is measured
constexpr int instants = 200;  // of the run

/// Calls use(place, volume) on a lattice of places that stand for all of `bounds` in the domain.
template <class Use>
void sample(const Domain& domain, const Shape::Bounds& bounds, const Use& use) {
  const Vec3d low = max(bounds.lowest, domain.lower()), high = min(bounds.highest, domain.upper());
  Int3 n{1, 1, 1};
  Vec3d step{}, first{};
  double volume = 1;
  for (int a = 0; a < 3; ++a) {
    if (!domain.lattice.active[a]) continue;
    if (!(high[a] > low[a])) return;
    n[a] = looks;
    step[a] = (high[a] - low[a]) / n[a];
    first[a] = low[a] + 0.5 * step[a];
    volume *= step[a];
  }
  for (int k = 0; k < n.z; ++k)
    for (int j = 0; j < n.y; ++j)
      for (int i = 0; i < n.x; ++i) use(first + Vec3d{i * step.x, j * step.y, k * step.z}, volume);
}

Shape::Bounds all_of(const Domain& domain) {
  return {domain.lower(), domain.upper()};
}

/// Of what is in no solid at the start [m^3]; in 2D [m^2].
template <class Inside>
double free_volume(const Setting& s, const Shape::Bounds& bounds, const Inside& inside) {
  std::vector<Shape> solids;
  for (const Obstacle& o : s.obstacles) solids.push_back(o.shape.transformed(o.motion.at(0).place));
  double out = 0;
  sample(s.domain, bounds, [&](const Vec3d& x, double volume) {
    const auto holds = [&](const Shape& solid) { return solid.distance(x) <= 0; };
    if (inside(x) && std::none_of(solids.begin(), solids.end(), holds)) out += volume;
  });
  return out;
}

/// Each place counts once, however many fills overlap there.
double filled(const Setting& s) {
  double out = 0;
  for (std::size_t f = 0; f < s.fills.size(); ++f) {
    const auto in = [&](std::size_t i, const Vec3d& x) {
      return !s.fills[i].shape || s.fills[i].shape->distance(x) <= 0;
    };
    out += free_volume(s, s.fills[f].shape ? s.fills[f].shape->bounds() : all_of(s.domain), [&](const Vec3d& x) {
      for (std::size_t later = f + 1; later < s.fills.size(); ++later)
        if (in(later, x)) return false;
      return in(f, x);
    });
  }
  return out;
}

/// Through the shape's cross-section goes its volume over its length along the velocity, times the speed [m^3/s].
double flux(const Emitter& e, double volume, double time) {
  if (!e.enabled(time)) return 0;
  if (e.rate) return (*e.rate)(time);
  const Vec3d v = e.velocity(time);
  if (length(v) == 0) return 0;
  const Shape::Bounds bounds = e.shape.bounds();
  const Vec3d size = bounds.highest - bounds.lowest, along = normalized(v);
  double through = 0;  // 1 / length, of a box
  for (int a = 0; a < 3; ++a) through = std::max(through, std::abs(along[a]) / size[a]);
  return volume * through * length(v);
}

/// All that it has given by the end, the first filling of its shape included [m^3].
double poured(const Scene& scene, const Emitter& e) {
  const double volume =
      free_volume(scene.setting, e.shape.bounds(), [&](const Vec3d& x) { return e.shape.distance(x) <= 0; });
  const double end = (scene.run.frames - 1) / scene.run.fps;
  double out = 0;
  bool ever = false;
  for (int i = 0; i < instants; ++i) {
    const double time = end * (i + 0.5) / instants;
    out += flux(e, volume, time) * end / instants;
    ever = ever || e.enabled(time);
  }
  return out + (ever && !e.rate ? volume : 0);
}

bool closed(const Domain& domain) {
  for (int a = 0; a < 3; ++a)
    for (int end = 0; end < 2; ++end)
      if (domain.lattice.active[a] && domain.side(a, end) == Side::open) return false;
  return true;
}

}  // namespace

ParticleAmount particle_amount(const Scene& scene) {
  const Setting& s = scene.setting;
  ParticleAmount out{.at_start = filled(s)};
  for (const Emitter& e : s.emitters) out.poured += poured(scene, e);
  if (out.poured > 0 && closed(s.domain))
    out.poured =
        std::min(out.poured, free_volume(s, all_of(s.domain), [](const Vec3d&) { return true; }) - out.at_start);
  const double cell = std::pow(s.domain.lattice.h, s.domain.lattice.dims());
  return {out.at_start / cell, std::max(0.0, out.poured) / cell};
}

}  // namespace silt

#pragma once

/// Frames made from formulas, so that pictures can be tested without a simulation.

#include <algorithm>
#include <cmath>

#include "silt/core/random.h"
#include "silt/fields/frame.h"

namespace silt::synthetic {

/// Smooth random numbers in [-1, 1]: values on a lattice, blended.
inline double value_noise(const Vec3d& x, int seed) {
  const Vec3d base{std::floor(x.x), std::floor(x.y), std::floor(x.z)}, f = x - base;
  double sum = 0;
  for (int i = 0; i < 8; ++i) {
    const Int3 d{i & 1, (i >> 1) & 1, i >> 2};
    double w = 1;
    std::uint64_t id = 0;
    for (int a = 0; a < 3; ++a) {
      const double s = f[a] * f[a] * f[a] * (f[a] * (6 * f[a] - 15) + 10);
      w *= d[a] ? s : 1 - s;
      id = id * 1000003 + std::uint64_t(int(base[a]) + d[a] + 4096);
    }
    sum += w * (2 * random_unit(std::uint64_t(seed), id, 0) - 1);
  }
  return sum;
}

inline Vec3d turbulence(const Vec3d& x, int octaves) {
  Vec3d sum{};
  double amplitude = 1, scale = 1;
  for (int i = 0; i < octaves; ++i, amplitude *= 0.55, scale *= 2.03)
    for (int a = 0; a < 3; ++a) sum[a] += amplitude * value_noise(x * scale, 31 * i + a);
  return sum;
}

/// A box of n cells with its low corner at the origin; two of them make an axis flat.
inline Frame empty_frame(Int3 n, double h) {
  Frame frame;
  frame.domain.lattice.h = h;
  frame.domain.lattice.active = {1, n.y > 1, n.z > 1};
  frame.domain.cells = {{0, 0, 0}, n};
  return frame;
}

template <class Value>
void add_volume(Frame& frame, const std::string& name, Volume::Kind kind, const std::string& unit, const Value& value) {
  Volume v{.material = "smoke",
           .name = name,
           .kind = kind,
           .unit = unit,
           .cells = frame.domain.cells,
           .background = 0,
           .values = {}};
  const Box& b = v.cells;
  v.values.resize(std::size_t(b.count()));
  for (int z = b.lo.z; z < b.hi.z; ++z)
    for (int y = b.lo.y; y < b.hi.y; ++y)
      for (int x = b.lo.x; x < b.hi.x; ++x)
        v.values[v.index({x, y, z})] = float(value(frame.domain.lattice.centre({x, y, z})));
  frame.volumes.push_back(std::move(v));
}

/// A rising plume round a sphere in a domain of 1 x 1 x 2 m; n cells across.
inline Frame plume(int n) {
  Frame frame = empty_frame({n, n, 2 * n}, 1.0 / n);
  frame.time = 2.5;
  const Vec3d ball{0.5, 0.5, 0.85};
  constexpr double radius = 0.17;
  add_volume(frame, "solid", Volume::Kind::level_set, "m", [&](const Vec3d& x) { return length(x - ball) - radius; });
  add_volume(frame, "density", Volume::Kind::fog, "", [&](const Vec3d& x) {
    const double s = x.z / 1.75;  // 0 at the source, 1 at the head
    const Vec3d t = turbulence(Vec3d{x.x * 4, x.y * 4, x.z * 3}, 5);
    const Vec3d y = x + t * (0.02 + 0.11 * s);
    const double around = x.z < 1.3 && x.z > 0.6 ? 0.19 * std::exp(-std::pow((x.z - 0.9) / 0.2, 2)) : 0;
    const double r = std::hypot(y.x - 0.5, y.y - 0.5), wide = 0.07 + 0.20 * s * s + 0.5 * around;
    const double head = std::hypot(y.x - 0.5, y.y - 0.5, 1.15 * (y.z - 1.5)) - 0.29;
    const double stem = y.z < 1.5 ? std::abs(r - around) - wide : 1.0;
    const double d = std::min(head, stem);
    const double body = 1 / (1 + std::exp(d / 0.018));
    const double inside = length(x - ball) < radius ? 0 : 1;
    return inside * body * (0.55 + 0.45 * t.z) * (1.1 - 0.5 * s);
  });
  return frame;
}

/// Two swirls of smoke and a disc in a plane of 1.6 x 1 m; n cells across its height.
inline Frame swirl(int n) {
  Frame frame = empty_frame({n * 8 / 5, n, 1}, 1.0 / n);
  frame.time = 1.25;
  add_volume(frame, "solid", Volume::Kind::level_set, "m",
             [](const Vec3d& x) { return std::hypot(x.x - 1.2, x.y - 0.55) - 0.13; });
  add_volume(frame, "density", Volume::Kind::fog, "", [](const Vec3d& x) {
    const double dx = x.x - 0.55, dy = x.y - 0.5, r = std::hypot(dx, dy), turn = std::atan2(dy, dx) + 1.4 / (r + 0.12);
    const double bands = 0.5 + 0.5 * std::sin(2 * turn + 9 * r);
    const double disc = std::hypot(x.x - 1.2, x.y - 0.55) < 0.13 ? 0 : 1;
    return disc * std::pow(bands, 2) * std::exp(-std::pow(r / 0.38, 2)) * (1 + 0.15 * value_noise(x * 14, 3));
  });
  return frame;
}

template <class Distance>
void add_water(Frame& frame, const Distance& distance) {
  add_volume(frame, "surface", Volume::Kind::level_set, "m", distance);
  frame.volumes.back().material = "water";
  frame.volumes.back().background = float(3 * frame.domain.lattice.h);
}

/// A wavy pool in a tank of 1 x 0.6 x 0.6 m with a post in it, a drop above it, and a thin sheet of water that stands
/// up from it; n cells along.
inline Frame pool(int n) {
  Frame frame = empty_frame({n, n * 3 / 5, n * 3 / 5}, 1.0 / n);
  frame.time = 0.8;
  add_volume(frame, "solid", Volume::Kind::level_set, "m", [](const Vec3d& x) {
    return std::max({std::abs(x.x - 0.68) - 0.05, std::abs(x.y - 0.3) - 0.05, x.z - 0.33});
  });
  add_water(frame, [](const Vec3d& x) {
    const double waves = 0.025 * std::sin(11 * x.x + 3 * x.y) + 0.012 * std::sin(23 * x.y - 8 * x.x);
    const double body = (x.z - 0.18 - waves) / std::hypot(1.0, 0.4);
    const double drop = length(x - Vec3d{0.45, 0.22, 0.46}) - 0.05;
    const double sheet = std::max(
        {std::abs(x.x - 0.25 - 0.04 * std::sin(9 * x.y)) - 0.012, x.z - 0.42 + 0.3 * x.y, std::abs(x.y - 0.3) - 0.2});
    return std::min({body, drop, sheet});
  });
  return frame;
}

/// A column of water that has begun to fall, in a plane of 1 x 0.6 m, with particles; n cells along.
inline Frame falling_column(int n) {
  Frame frame = empty_frame({n, n * 3 / 5, 1}, 1.0 / n);
  frame.time = 0.25;
  add_volume(frame, "solid", Volume::Kind::level_set, "m",
             [](const Vec3d& x) { return std::max(std::abs(x.x - 0.75) - 0.03, x.y - 0.12); });
  const auto distance = [](const Vec3d& x) {
    const double top = 0.38 * std::exp(-std::pow(x.x / 0.33, 2)) + 0.02, drop = std::hypot(x.x - 0.5, x.y - 0.4) - 0.04;
    return std::min(0.7 * (x.y - top), drop);
  };
  add_water(frame, distance);
  Points& points = frame.points.emplace_back();
  points.material = "water";
  points.radius = float(0.35 / n);
  for (int i = 0; i < 2 * n; ++i)
    for (int j = 0; j < n * 6 / 5; ++j) {
      const Vec3d x{(i + 0.5) / (2 * n), (j + 0.5) / (2 * n), 0.5 / n};
      if (distance(x) >= 0) continue;
      points.positions.push_back(x);
      points.velocities.push_back({float(3 * x.x), float(-2 * x.y), 0.0f});
    }
  return frame;
}

}  // namespace silt::synthetic

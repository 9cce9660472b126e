#pragma once

#include <cmath>

#include "silt/core/random.h"
#include "silt/fields/particle_sort.h"
#include "silt/physics/common/particle_sides.h"

namespace silt {

/// Sums over the neighbours of a particle, up to `reach` cells away (at most 1): Pair(i, j, r, n) times n, the
/// direction from the other to it. All are seen where they were, so the order of pairs does not show.
template <class Pair>
struct PairSum {
  ParticleView particles;
  CellRanges::View ranges;
  ParticleSides sides;
  const std::uint64_t* id;
  float reach;
  Pair pair;

  /// A direction for two that lie in the same place: opposite for the two.
  SILT_HD Vec3f any_direction(std::uint64_t mine, std::uint64_t other) const {
    const std::uint64_t low = mine < other ? mine : other, high = mine < other ? other : mine;
    Vec3f d{};
    for (int a = 0; a < 3; ++a)
      if (particles.offset[a]) d[a] = float(random_unit(low, high, std::uint64_t(a)) - 0.5);
    return normalized(d) * (mine < other ? 1.0f : -1.0f);
  }

  SILT_HD Vec3f from_cell(std::int64_t i, const Vec3f& f, Cell other, const Vec3f& from_corner) const {
    Vec3f sum{};
    if (!ranges.order.has(ranges.order.tile_of(other))) return sum;
    for (std::int64_t j = ranges.first(other); j < ranges.last(other); ++j) {
      if (j == i) continue;
      const Vec3f d = f - (particles.offset_at(j) + from_corner);
      const float squared = dot(d, d);
      if (squared >= reach * reach) continue;
      const float r = std::sqrt(squared);
      const Vec3f n = r > 1e-6f ? d / r : any_direction(id[i], id[j]);
      sum += n * pair(i, j, r, n);
    }
    return sum;
  }

  /// The cells that reach across the sides of this one, along one axis: from -1 to 1.
  SILT_HD void cells_along(int axis, float f, int& from, int& to) const {
    from = particles.offset[axis] && f < reach ? -1 : 0;
    to = particles.offset[axis] && f > 1 - reach ? 1 : 0;
  }

  SILT_HD Vec3f operator()(std::int64_t i) const {
    const Cell c = particles.cell_at(i);
    const Vec3f f = particles.offset_at(i);
    Int3 from, to;
    for (int a = 0; a < 3; ++a) cells_along(a, f[a], from[a], to[a]);
    Vec3f sum{};
    for (int z = from.z; z <= to.z; ++z)
      for (int y = from.y; y <= to.y; ++y)
        for (int x = from.x; x <= to.x; ++x) {
          const Int3 away{x, y, z};
          Cell other = c + away;
          for (int a = 0; a < 3; ++a) {
            if (other[a] < sides.lo[a]) other[a] += sides.period[a];
            if (other[a] >= sides.hi[a]) other[a] -= sides.period[a];
          }
          sum += from_cell(i, f, other, away.as<float>());
        }
    return sum;
  }
};

template <class Pair>
PairSum<Pair> sum_pairs(const Exec& exec, const Domain& domain, const CellRanges& ranges, const Particles& particles,
                        double reach, const Pair& pair) {
  return {read(exec, particles),   ranges.read(exec), ParticleSides::of(domain),
          particles.id.read(exec), float(reach),      pair};
}

}  // namespace silt

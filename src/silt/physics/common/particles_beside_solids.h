#pragma once

#include "silt/fields/particles_near.h"
#include "silt/physics/common/solid_distance.h"

/// For KERNELS sources.
namespace silt {

/// From a cell that solids cut to the whole one that stands in for it, in one number.
struct PackedStep {
  static constexpr std::uint32_t none = 0;  ///< what a field begins with; no step is this
  static constexpr std::uint32_t here = 100 | 100 << 8 | 100 << 16;
  SILT_HD static std::uint32_t pack(Int3 step) {
    return std::uint32_t(step.x + 100) | std::uint32_t(step.y + 100) << 8 | std::uint32_t(step.z + 100) << 16;
  }
  SILT_HD static Int3 unpack(std::uint32_t packed) {
    return {int(packed & 255) - 100, int(packed >> 8 & 255) - 100, int(packed >> 16 & 255) - 100};
  }
};

/// Places and cells beyond a domain's sides, as they are found in it.
struct Within {
  Box cells;
  Int3 period;  ///< [cells]; 0: not periodic
  Int3 active;

  SILT_HD Cell wrapped(Cell c) const {
    for (int a = 0; a < 3; ++a)
      if (period[a]) c[a] += c[a] < cells.lo[a] ? period[a] : c[a] >= cells.hi[a] ? -period[a] : 0;
    return c;
  }
  /// Beyond a side that is not periodic, the nearest within.
  SILT_HD Cell nearest(Cell c) const {
    c = wrapped(c);
    for (int a = 0; a < 3; ++a) c[a] = c[a] < cells.lo[a] ? cells.lo[a] : c[a] >= cells.hi[a] ? cells.hi[a] - 1 : c[a];
    return c;
  }
  /// A place, in cells from the centre of cell 0, that leads into a wall: along it, for walls are mirrors to the
  /// surface.
  SILT_HD Vec3f along_walls(Vec3f x) const {
    for (int a = 0; a < 3; ++a) {
      const float lo = float(cells.lo[a]), hi = float(cells.hi[a] - 1);
      if (active[a] && !period[a]) x[a] = x[a] < lo ? lo : x[a] > hi ? hi : x[a];
    }
    return x;
  }
  /// The same, and round periodic sides.
  SILT_HD Vec3f held(Vec3f x) const {
    for (int a = 0; a < 3; ++a) {
      const float round = float(period[a]), lo = float(cells.lo[a]) - 0.5f;
      if (period[a]) x[a] += x[a] < lo ? round : x[a] >= lo + round ? -round : 0;
    }
    return along_walls(x);
  }
};

/// Sine of a slope from which on liquid beside it has a deep side.
inline constexpr float steep = 0.4f;
/// The centre of a cell that no solid cuts is at least this far from them [cells].
inline constexpr float whole_cell = 0.9f;

/// The particles near a place, and in solids copies of those beside them: see surface_beside_solids.h.
struct ParticlesBesideSolids {
  ParticlesNear all;
  SolidDistance solid;
  View<const std::uint32_t> steps;  ///< to the whole cells that stand in for those that solids cut (PackedStep)

  SILT_HD float reach() const { return all.reach; }

  /// Those near the centre of a cell, or `shift` from there [cells]. `n`: the normal of the liquid's surface.
  SILT_HD_INLINE void add(Cell c, const Vec3f& n, NeighbourLanes& near, const Vec3f& shift = {}) const {
    all.steps_near(shift, [&](Int3 step) {
      all.add(step, c, near, shift);
      add_copies(step, c, n, near, shift);
    });
  }

 private:
  /// Adds copies of the particles of the whole cell that stands in for a neighbour, as far as they lie in solids.
  SILT_HD void add_copies(Int3 neighbour, Cell c, const Vec3f& n, NeighbourLanes& near, const Vec3f& shift) const {
    constexpr float far = 10;  // where lanes that no particle fills are put
    const ParticlesNear::Neighbour there = all.at(c + neighbour);
    if (solid.centre(there.cell) >= whole_cell) return;
    const std::uint32_t packed = steps(there.cell);
    if (packed == PackedStep::none) return;
    const Int3 step = PackedStep::unpack(packed);
    const ParticlesNear::Neighbour source = all.at(there.cell + step);
    const Vec3f back = n * dot(n, step.as<float>());  // to the height it had
    Lanes y[3]{};
    int filled = 0;
    const std::uint32_t first = all.ranges.first(source.cell), count = all.ranges.count(source.cell);
    for (std::uint32_t i = first; i < first + count; ++i) {
      Vec3f at{};
      for (int a = 0; a < 3; ++a) {
        if (!solid.active[a]) continue;
        const float offset = all.particles.offset[a][i] + back[a] - 0.5f;
        at[a] = float(neighbour[a]) + (there.mirrored[a] ? -offset : offset);
      }
      const Vec3f from = at - shift;
      if (dot(from, from) > reach() * reach()) continue;  // the kernel ends before
      if (solid.at(c.as<float>() + at) >= 0) continue;
      for (int a = 0; a < 3; ++a) y[a][filled] = from[a] / reach();
      if (++filled == lane_count) near.add(y, filled), filled = 0;
    }
    if (filled == 0) return;
    y[0] = first_lanes(y[0], filled, far);
    near.add(y, filled);
  }
};

}  // namespace silt

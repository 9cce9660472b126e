#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/neighbourhood.h"
#include "silt/fields/particle_sort.h"
#include "silt/fields/surface_of_particles.h"

/// What a cell's level set is made of. For KERNELS sources.
namespace silt {

/// The particles of the cells round one. At sides that are not periodic they count as if they were mirrored there.
struct ParticlesNear {
  Box cells;
  Int3 active;
  Int3 period{};  ///< cells; 0: not periodic
  float reach;    ///< R [cells]
  CellRanges::View ranges;
  ParticleView particles;

  ParticlesNear(const Exec& exec, const Domain& domain, const SurfaceOptions& options, const CellRanges& in,
                const Particles& all)
      : cells(domain.cells),
        active(domain.lattice.active),
        reach(float(options.reach)),
        ranges(in.read(exec)),
        particles(silt::read(exec, all)) {
    for (int a = 0; a < 3; ++a) period[a] = active[a] && domain.periodic(a) ? cells.size()[a] : 0;
  }

  /// A neighbour of a cell, or what stands in for it beyond a side.
  struct Neighbour {
    Cell cell;
    Int3 mirrored{};  ///< along which axes
  };
  SILT_HD Neighbour at(Cell n) const {
    Neighbour out{n};
    for (int a = 0; a < 3; ++a) {
      const int below = cells.lo[a] - n[a], above = n[a] - (cells.hi[a] - 1);
      if (below <= 0 && above <= 0) continue;
      if (period[a]) {
        out.cell[a] += below > 0 ? period[a] : -period[a];
      } else {
        out.cell[a] = below > 0 ? cells.lo[a] + below - 1 : cells.hi[a] - above;
        out.mirrored[a] = 1;
      }
    }
    return out;
  }

  /// visit(step) for the cells round one, and itself.
  template <class Visit>
  SILT_HD_INLINE void steps(const Visit& visit) const {
    for (int z = -active.z; z <= active.z; ++z)
      for (int y = -active.y; y <= active.y; ++y)
        for (int x = -active.x; x <= active.x; ++x) visit(Int3{x, y, z});
  }

  /// visit(step) for the cells within reach of a place that is `shift` from a cell's centre along one axis, at most
  /// half a cell.
  template <class Visit>
  SILT_HD_INLINE void steps_near(const Vec3f& shift, const Visit& visit) const {
    steps(visit);
    for (int a = 0; a < 3; ++a) {
      if (shift[a] == 0) continue;
      const Int3 ahead = unit(a) * (shift[a] > 0 ? 2 : -2);
      const Int3 across = active - unit(a) * active[a];
      for (int z = -across.z; z <= across.z; ++z)
        for (int y = -across.y; y <= across.y; ++y)
          for (int x = -across.x; x <= across.x; ++x) visit(ahead + Int3{x, y, z});
    }
  }

  /// Adds the particles of one neighbour, a step from the cell; places from the cell's centre, or `shift` from there.
  SILT_HD_INLINE void add(Int3 step, Cell c, NeighbourLanes& near, const Vec3f& shift = {}) const {
    constexpr float far = 10;  // where lanes that no particle fills are put
    const Neighbour neighbour = at(c + step);
    if (ranges.count(neighbour.cell) == 0) return;
    const std::uint32_t last = ranges.last(neighbour.cell);
    const float scale = 1 / reach;
    for (std::uint32_t i = ranges.first(neighbour.cell); i < last; i += lane_count) {
      const int n = last - i < lane_count ? int(last - i) : lane_count;
      Lanes y[3];
      for (int a = 0; a < 3; ++a) {
        if (!particles.offset[a]) {
          y[a] = Lanes{};
          continue;
        }
        const Lanes offset = load_lanes(particles.offset[a] + i, n);
        const Lanes from_low = neighbour.mirrored[a] ? all_lanes(1) - offset : offset;
        y[a] = (from_low + all_lanes(float(step[a]) - 0.5f - shift[a])) * all_lanes(scale);
      }
      y[0] = first_lanes(y[0], n, far);
      near.add(y, n);
    }
  }
};

/// phi from the particles near a point [cells]: see surface_of_particles.h.
struct ParticleSurface {
  double radius, alone, reach, slack;  ///< [cells]
  bool concave;
  int dims;
  Fullness fullness;

  ParticleSurface(const SurfaceOptions& options, int dimensions)
      : radius(options.radius),
        alone(options.alone),
        reach(options.reach),
        slack(options.slack * Fullness(options.reach, dimensions).noise),
        concave(options.concave),
        dims(dimensions),
        fullness(options.reach, dimensions) {}

  SILT_HD double inside() const { return -radius; }          ///< where particles are all round
  SILT_HD double outside() const { return reach - radius; }  ///< where there are none in reach; nowhere more
  SILT_HD double operator()(const Neighbourhood& near) const {
    if (!(near.weight > 0)) return outside();
    const double off = reach * length(near.mean());
    const double by_places =
        off - (alone + (radius - alone) * among_others(near.count)) * (concave ? near.factor() : 1);
    const double by_fullness = fullness.outside(near.weight) - slack;
    const double value = by_places > by_fullness ? by_places : by_fullness;
    return value < outside() ? value : outside();
  }

 private:
  /// How much of the way from `alone` to `radius` it is for so many particles in the cells round one: a surface has 72
  /// and more of them in 3D, 12 in 2D.
  SILT_HD double among_others(int count) const {
    const double t = (count - 1) / (dims == 3 ? 11.0 : 5.0);
    return t >= 1 ? 1 : t;
  }
};

}  // namespace silt

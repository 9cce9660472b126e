#include "silt/fields/surface_of_particles.h"

#include <cassert>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/neighbourhood.h"

namespace silt {

namespace {

/// How much of the way from `alone` to `radius` it is for so many particles in the cells round one: a surface has 72
/// and more of them in 3D, 12 in 2D.
SILT_HD double among_others(int count, int dims) {
  const double t = (count - 1) / (dims == 3 ? 11.0 : 5.0);
  return t >= 1 ? 1 : t;
}

/// How many particles each cell has, or 255.
struct CountParticles {
  CellRanges::View ranges;
  View<unsigned char> out;
  SILT_HD void operator()(Cell c) const {
    const auto n = ranges.count(c);
    out(c) = static_cast<unsigned char>(n < 255 ? n : 255);
  }
};

struct Surface {
  static constexpr bool uneven = true;
  Box cells;
  Int3 active;
  bool periodic[3];
  double h, radius, alone, reach, slack;  ///< [m], [cells] each
  bool concave;
  Fullness fullness;
  int enough;  ///< particles in a cell and those round it, with which it cannot be hollow
  CellRanges::View ranges;
  ParticleView particles;
  View<const unsigned char> counts;
  View<float> phi;

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
      const int size = cells.hi[a] - cells.lo[a];
      if (periodic[a]) {
        out.cell[a] += below > 0 ? size : -size;
      } else {
        out.cell[a] = below > 0 ? cells.lo[a] + below - 1 : cells.hi[a] - above;
        out.mirrored[a] = 1;
      }
    }
    return out;
  }

  SILT_HD void operator()(Cell c) const {
    int count = 0;
    bool all = true;
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {  // flat axes: thrice the same
          const int n = counts(c.x + x, c.y + y, c.z + z);
          count += n, all = all && n > 0;
        }
    const bool deep = all && count >= enough;
    double value = deep ? -radius : reach - radius;
    if (count > 0 && !deep) {
      const Neighbourhood near = gather(c);
      if (near.weight > 0) {
        const double off = reach * length(near.mean());
        const double among = among_others(near.count, active.x + active.y + active.z);
        const double by_places = off - (alone + (radius - alone) * among) * (concave ? near.factor() : 1);
        const double by_fullness = fullness.outside(near.weight) - slack;
        value = by_places > by_fullness ? by_places : by_fullness;
      }
    }
    phi(c) = float(value * h);
  }

  SILT_HD Neighbourhood gather(Cell c) const {
    NeighbourLanes near;
    for (int z = -active.z; z <= active.z; ++z)
      for (int y = -active.y; y <= active.y; ++y)
        for (int x = -1; x <= 1; ++x) add({x, y, z}, c, near);
    return Neighbourhood(near);
  }
  /// The particles of one neighbour.
  SILT_HD_INLINE void add(Int3 step, Cell c, NeighbourLanes& near) const {
    constexpr float far = 10;  // where lanes that no particle fills are put
    const Neighbour neighbour = at(c + step);
    if (ranges.count(neighbour.cell) == 0) return;
    const std::uint32_t last = ranges.last(neighbour.cell);
    const float scale = float(1 / reach);
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
        y[a] = (from_low + all_lanes(float(step[a]) - 0.5f)) * all_lanes(scale);
      }
      y[0] = first_lanes(y[0], n, far);
      near.add(y, n);
    }
  }
};

}  // namespace

void surface_of_particles(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                          const SurfaceOptions& options, Field<float>& phi) {
  assert(options.reach > 0 && options.reach <= 1.5 && "one layer of cells is looked at");
  const Lattice& lattice = domain.lattice;
  Field<unsigned char> counts(phi.layout());
  for_each_cell(exec, "surface.counts", domain.cells, CountParticles{ranges.read(exec), counts.write(exec)});
  fill_halo(exec, domain, domain.cells, HaloRule{}, counts);
  const Fullness fullness(options.reach, lattice.dims());
  const int most = 27 << lattice.dims();  // in a cell and those round it
  Surface kernel{domain.cells,
                 lattice.active,
                 {},
                 lattice.h,
                 options.radius,
                 options.alone,
                 options.reach,
                 options.slack * fullness.noise,
                 options.concave,
                 fullness,
                 std::isinf(options.slack) ? 0 : int(0.7 * most),
                 ranges.read(exec),
                 read(exec, particles),
                 counts.read(exec),
                 phi.update(exec)};
  for (int a = 0; a < 3; ++a) kernel.periodic[a] = domain.periodic(a);
  for_each_cell(exec, "surface.particles", domain.cells, kernel);
}

}  // namespace silt

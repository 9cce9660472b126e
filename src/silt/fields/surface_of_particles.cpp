#include "silt/fields/surface_of_particles.h"

#include <cassert>
#include <cmath>

#include "silt/core/loops.h"
#include "silt/fields/halo.h"
#include "silt/fields/particles_near.h"

namespace silt {

namespace {

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
  ParticlesNear particles;
  ParticleSurface surface;
  int enough;  ///< particles in a cell and those round it, with which it cannot be hollow
  double h;    ///< [m]
  View<const unsigned char> counts;
  View<float> phi;

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
    double value = deep ? surface.inside() : surface.outside();
    if (count > 0 && !deep) {
      NeighbourLanes near;
      particles.steps([&](Int3 step) { particles.add(step, c, near); });
      value = surface(Neighbourhood(near));
    }
    phi(c) = float(value * h);
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
  const int most = 27 << lattice.dims();  // in a cell and those round it
  for_each_cell(exec, "surface.particles", domain.cells,
                Surface{{exec, domain, options, ranges, particles},
                        {options, lattice.dims()},
                        std::isinf(options.slack) ? 0 : int(0.7 * most),
                        lattice.h,
                        counts.read(exec),
                        phi.update(exec)});
}

}  // namespace silt

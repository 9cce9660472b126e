#include "silt/physics/liquid/films_on_solids.h"

#include <utility>

#include "silt/core/loops.h"
#include "silt/physics/common/particle_sides.h"
#include "silt/physics/common/particles_beside_solids.h"

namespace silt {
namespace {

/// How high what lies on a solid may be [cells]: one particle alone, and as much as is no liquid to the pressure.
constexpr float thinnest = 0.1f, thickest = 0.5f;

struct HoldFilms {
  ParticleColumns<const int, float> particles;
  PositionColumns to;
  ParticleSides sides;
  Within within;
  CellRanges::View ranges;
  View<const unsigned char> air;
  bool solids;  ///< whether there are any
  SolidDistance solid;
  MacView<const float> solid_velocity;
  float per_column;  ///< one over the particles of a cell, and the columns round one
  float step;        ///< [s / cells]

  /// How thick what is round a cell would be as a layer [cells].
  SILT_HD float thickness(Cell c) const {
    float sum = 0;
    for (int z = -within.active.z; z <= within.active.z; ++z)
      for (int y = -within.active.y; y <= within.active.y; ++y)
        for (int x = -within.active.x; x <= within.active.x; ++x)
          sum += float(ranges.count(within.nearest(c + Int3{x, y, z})));
    const float all = sum * per_column;
    return all < thinnest ? thinnest : all > thickest ? thickest : all;
  }
  SILT_HD float velocity(std::int64_t i, int a) const { return particles.velocity[a] ? particles.velocity[a][i] : 0; }

  /// Takes what goes into a surface with the normal n; the surface's own velocity along it is `surface`.
  SILT_HD void hold(std::int64_t i, const Vec3f& n, float surface) const {
    float into = surface;
    for (int a = 0; a < 3; ++a) into -= n[a] * velocity(i, a);
    if (!(into > 0)) return;
    for (int a = 0; a < 3; ++a)
      if (particles.velocity[a]) particles.velocity[a][i] += into * n[a];
    for (int m = 1; m < Particles::all_modes; ++m) flatten(i, m, n);
  }
  /// A film moves across itself as a whole: no mode has a part along n. Those with a curvature are not the same of all
  /// components, and go.
  SILT_HD void flatten(std::int64_t i, int m, const Vec3f& n) const {
    const bool product = m < Particles::products;
    float across = 0;
    for (int a = 0; a < 3; ++a)
      if (product && particles.mode[a][m]) across += n[a] * particles.mode[a][m][i];
    for (int a = 0; a < 3; ++a)
      if (float* mode = particles.mode[a][m]) mode[i] = product ? mode[i] - n[a] * across : 0;
  }
  /// A side's wall that is so near.
  SILT_HD bool hold_at_side(std::int64_t i, Cell c, int a, float offset, float high) const {
    const bool low = offset < 0.5f;
    const bool wall = low ? sides.wall_lo[a] && c[a] == sides.lo[a] : sides.wall_hi[a] && c[a] == sides.hi[a] - 1;
    if (!wall || (low ? offset : 1 - offset) > high) return false;
    const float moving = solid_velocity[a](low ? c : c + unit(a));
    Vec3f n{};
    n[a] = low ? 1.0f : -1.0f;
    hold(i, n, n[a] * moving);
    return true;
  }
  SILT_HD bool hold_at_solid(std::int64_t i, Cell c, const Vec3f& f, float high) const {
    Vec3f x = c.as<float>();
    for (int a = 0; a < 3; ++a) x[a] += within.active[a] ? f[a] - 0.5f : 0;
    if (!(solid.at(x) <= high)) return false;
    const Vec3f n = solid.normal(x);
    float surface = 0;
    for (int a = 0; a < 3; ++a)
      if (within.active[a]) surface += n[a] * solid_velocity[a](f[a] < 0.5f ? c : c + unit(a));
    hold(i, n, surface);
    return dot(n, n) > 0;
  }
  SILT_HD void operator()(std::int64_t i) const {
    to.cell[0][i] = Particles::dead;
    const Cell c = particles.cell_at(i);
    if (!within.cells.contains(c) || !air(c)) return;
    const Vec3f f = particles.offset_at(i);
    const float high = thickness(c);
    bool lies = false;
    for (int a = 0; a < 3; ++a)
      if (within.active[a] && hold_at_side(i, c, a, f[a], high)) lies = true;
    if (solids && hold_at_solid(i, c, f, high)) lies = true;
    if (!lies) return;
    for (int a = 0; a < 3; ++a) {
      if (!within.active[a]) continue;
      to.cell[a][i] = c[a];
      sides.settle(a, f[a] + step * velocity(i, a), to.cell[a][i], to.offset[a][i]);
    }
  }
};

struct PutFilms {
  const int* cell[3];
  const float* offset[3];
  PositionColumns at;
  SILT_HD void operator()(std::int64_t i) const {
    if (cell[0][i] == Particles::dead) return;
    for (int a = 0; a < 3; ++a)
      if (at.cell[a]) at.cell[a][i] = cell[a][i], at.offset[a][i] = offset[a][i];
  }
};

}  // namespace

void FilmsOnSolids::hold(const Exec& exec, const Domain& domain, const CutCells& cut, bool solids,
                         const Field<unsigned char>& air, const CellRanges& ranges, double time, Particles& particles) {
  const Int3 active = domain.lattice.active;
  const int dims = domain.lattice.dims();
  const float inv_h = float(1 / domain.lattice.h);
  float columns = float(1 << dims);
  for (int a = 1; a < dims; ++a) columns *= 3;
  HoldFilms kernel{{},
                   {},
                   ParticleSides::of(domain),
                   {domain.cells, {}, active},
                   ranges.read(exec),
                   air.read(exec),
                   solids,
                   {cut.distance.read(exec), active, inv_h},
                   cut.closed_velocity().read(exec),
                   1 / columns,
                   float(time) * inv_h};
  kernel.within.period = kernel.sides.period;
  for (int a = 0; a < 3; ++a) {
    if (active[a] && cell_[a].size() < particles.count)
      cell_[a] = Buffer<int>(particles.capacity()), offset_[a] = Buffer<float>(particles.capacity());
    kernel.to.cell[a] = cell_[a].update(exec), kernel.to.offset[a] = offset_[a].update(exec);
    kernel.particles.cell[a] = std::as_const(particles.cell[a]).read(exec);
    kernel.particles.offset[a] = const_cast<float*>(std::as_const(particles.offset[a]).read(exec));  // only read
    kernel.particles.velocity[a] = particles.velocity[a].update(exec);
    for (int m = 0; m < Particles::all_modes; ++m) kernel.particles.mode[a][m] = particles.mode[a][m].update(exec);
  }
  for_each_index(exec, "liquid.hold_films", std::int64_t(particles.count), kernel);
}

void FilmsOnSolids::put(const Exec& exec, Particles& particles) const {
  PutFilms kernel{{}, {}, PositionColumns::of(exec, particles)};
  for (int a = 0; a < 3; ++a) kernel.cell[a] = cell_[a].read(exec), kernel.offset[a] = offset_[a].read(exec);
  for_each_index(exec, "liquid.put_films", std::int64_t(particles.count), kernel);
}

}  // namespace silt

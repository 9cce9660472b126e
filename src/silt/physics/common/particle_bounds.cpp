#include "silt/physics/common/particle_bounds.h"

#include "silt/core/loops.h"
#include "silt/physics/common/particle_rows.h"

namespace silt {
namespace {

/// The lowest and highest cell along an axis, as negative lowest.
struct CellExtent {
  ParticleView particles;
  std::int64_t count;
  int axis;
  SILT_HD Several<2> operator()(Cell at) const {
    constexpr double none = -1e300;
    const std::int64_t i = particle_at(at);
    if (i >= count || particles.cell[0][i] == Particles::dead) return {{none, none}};
    const double c = particles.cell[axis][i];
    return {{-c, c}};
  }
};

struct LoseOutside {
  int* cell[3];
  std::int64_t count;
  Box cells;
  SILT_HD double operator()(Cell at) const {
    const std::int64_t i = particle_at(at);
    if (i >= count || cell[0][i] == Particles::dead) return 0;
    const Cell c{cell[0][i], cell[1] ? cell[1][i] : 0, cell[2] ? cell[2][i] : 0};
    if (cells.contains(c)) return 0;
    cell[0][i] = Particles::dead;
    return 1;
  }
};

}  // namespace

std::int64_t lose_outside(const Exec& exec, const Box& cells, Particles& particles) {
  LoseOutside lose{{}, std::int64_t(particles.count), cells};
  for (int a = 0; a < 3; ++a) lose.cell[a] = particles.cell[a].update(exec);
  return std::int64_t(reduce<Sum>(exec, "particles.lose", rows_of(particles.count), lose));
}

Box particle_bounds(const Exec& exec, const Particles& particles) {
  Box out{{0, 0, 0}, {1, 1, 1}};
  const ParticleView view = read(exec, particles);
  for (int a = 0; a < 3; ++a) {
    if (!particles.active[a]) continue;
    const auto ends = reduce<Each<Max, Max>>(exec, "particles.bounds", rows_of(particles.count),
                                             CellExtent{view, std::int64_t(particles.count), a});
    if (!(ends.value[1] > -1e299)) return {};
    out.lo[a] = int(-ends.value[0]), out.hi[a] = int(ends.value[1]) + 1;
  }
  return out;
}

std::size_t particles_in(const Box& cells, const Particles& particles) {
  const ParticleView view = read(Exec(Device::cpu, 1), particles);
  std::size_t out = 0;
  for (std::size_t i = 0; i < particles.count; ++i) out += cells.contains(view.cell_at(std::int64_t(i)));
  return out;
}

}  // namespace silt

#include "silt/physics/common/particle_sums.h"

#include <cmath>

#include "silt/core/loops.h"
#include "silt/physics/common/particle_rows.h"

namespace silt {
namespace {

struct VelocitySums {
  ParticleView particles;
  std::int64_t count;
  SILT_HD Several<5> operator()(Cell at) const {
    const std::int64_t i = particle_at(at);
    Vec3d v{};
    if (i < count)
      for (int a = 0; a < 3; ++a)
        if (particles.velocity[a]) v[a] = particles.velocity[a][i];
    const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
    const double most = x > y ? (x > z ? x : z) : (y > z ? y : z);
    return {{most, dot(v, v), v.x, v.y, v.z}};
  }
};

struct Dead {
  const int* cell;
  std::int64_t count;
  SILT_HD double operator()(Cell at) const {
    const std::int64_t i = particle_at(at);
    return i < count && cell[i] == Particles::dead ? 1 : 0;
  }
};

struct MassSums {
  ParticleView particles;
  const std::uint32_t* source;
  std::int64_t count;
  const double* mass_of;
  std::uint32_t last;
  SILT_HD Several<5> operator()(Cell at) const {
    const std::int64_t i = particle_at(at);
    if (i >= count) return {{0, 0, 0, 0, 0}};
    Vec3d v{};
    for (int a = 0; a < 3; ++a)
      if (particles.velocity[a]) v[a] = particles.velocity[a][i];
    const double m = mass_of[source[i] < last ? source[i] : last];
    return {{m, 0.5 * m * dot(v, v), m * v.x, m * v.y, m * v.z}};
  }
};

}  // namespace

ParticleSums sum_particles(const Exec& exec, const Particles& particles) {
  const auto sums =
      reduce<Each<Max, Sum, Sum, Sum, Sum>>(exec, "particles.sums", rows_of(particles.count),
                                            VelocitySums{read(exec, particles), std::int64_t(particles.count)});
  return {sums.value[0], sums.value[1], {sums.value[2], sums.value[3], sums.value[4]}};
}

std::int64_t dead_particles(const Exec& exec, const Particles& particles) {
  return std::int64_t(reduce<Sum>(exec, "particles.dead", rows_of(particles.count),
                                  Dead{particles.cell[0].read(exec), std::int64_t(particles.count)}));
}

ParticleMasses weigh_particles(const Exec& exec, const Particles& particles, const Buffer<double>& mass_of) {
  const MassSums kernel{read(exec, particles), particles.source.read(exec), std::int64_t(particles.count),
                        mass_of.read(exec), std::uint32_t(mass_of.size() - 1)};
  const auto sums = reduce<Each<Sum, Sum, Sum, Sum, Sum>>(exec, "particles.masses", rows_of(particles.count), kernel);
  return {sums.value[0], sums.value[1], {sums.value[2], sums.value[3], sums.value[4]}};
}

}  // namespace silt

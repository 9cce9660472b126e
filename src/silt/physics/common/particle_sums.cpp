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

}  // namespace

ParticleSums sum_particles(const Exec& exec, const Particles& particles) {
  const auto sums =
      reduce<Each<Max, Sum, Sum, Sum, Sum>>(exec, "particles.sums", rows_of(particles.count),
                                            VelocitySums{read(exec, particles), std::int64_t(particles.count)});
  return {sums.value[0], sums.value[1], {sums.value[2], sums.value[3], sums.value[4]}};
}

}  // namespace silt

#include "silt/physics/common/particle_sums.h"

#include <gtest/gtest.h>

namespace silt {
namespace {

TEST(ParticleSums, EveryParticleWeighsAsItsSourceSays) {
  const Exec exec(Device::cpu, 1);
  Particles particles({1, 1, 0});
  append(exec, particles, 5000);  // more than a row
  for (std::size_t i = 0; i < particles.count; ++i) {
    particles.source.host()[i] = std::uint32_t(i % 4);  // 3 is beyond: as the last
    particles.velocity[0].host()[i] = 2;
    particles.velocity[1].host()[i] = i % 4 == 0 ? -1.0f : 0.0f;
  }
  Buffer<double> mass_of(3);
  mass_of.host()[0] = 1, mass_of.host()[1] = 10, mass_of.host()[2] = 100;
  const ParticleMasses sums = weigh_particles(exec, particles, mass_of);
  EXPECT_EQ(sums.mass, 1250 * 211.0);
  EXPECT_EQ(sums.momentum, (Vec3d{2 * 1250 * 211.0, -1250, 0}));
  EXPECT_EQ(sums.kinetic_energy, 0.5 * 1250 * (4 * 211 + 1));
}

}  // namespace
}  // namespace silt

#pragma once

#include "silt/fields/particles.h"

namespace silt {

/// Of particles' velocities.
struct ParticleSums {
  double fastest = 0;  ///< largest component of a velocity [m/s]
  double squares = 0;  ///< of velocities [m^2/s^2]
  Vec3d velocities{};  ///< [m/s]
};
ParticleSums sum_particles(const Exec& exec, const Particles& particles);

/// How many of them are dead, and will be gone when they are next sorted.
std::int64_t dead_particles(const Exec& exec, const Particles& particles);

/// Of particles that weigh differently.
struct ParticleMasses {
  double mass = 0;            ///< [kg]
  double kinetic_energy = 0;  ///< [J]
  Vec3d momentum{};           ///< [kg m/s]
};
/// `mass_of`: of one particle by its source [kg]; the last of them is also that of sources beyond.
ParticleMasses weigh_particles(const Exec& exec, const Particles& particles, const Buffer<double>& mass_of);

}  // namespace silt

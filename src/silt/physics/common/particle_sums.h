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

}  // namespace silt

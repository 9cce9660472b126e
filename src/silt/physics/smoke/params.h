#pragma once

#include "silt/geometry/keyframes.h"
#include "silt/physics/common/advect.h"
#include "silt/scene/table.h"

namespace silt {

enum class Splitting { plain, reflection };

/// What a scene may say of smoke: the [smoke] block.
struct SmokeParams {
  Advection advection = Advection::maccormack;
  Splitting splitting = Splitting::reflection;
  Animated<double> viscosity = 0.0;              ///< kinematic [m^2/s]
  double ambient_temperature = 293;              ///< [K]
  Animated<double> buoyancy = 1.0;               ///< scales the lift of hot air; 1 is ideal gas, Boussinesq
  Animated<double> weight = 0.1;                 ///< downward acceleration in units of g for density 1
  Animated<double> vorticity_confinement = 0.0;  ///< [1/s]
  Animated<double> dissipation = 0.0;            ///< of density [1/s]
  Animated<double> cooling = 0.0;                ///< of temperature towards ambient [1/s]
  double cfl = 2;                                ///< cells the fastest fluid may cross in a substep
  double tolerance = 1e-5;                       ///< relative residual of the pressure solve
  int max_iterations = 2000;
};

const Table<SmokeParams>& smoke_table();

}  // namespace silt

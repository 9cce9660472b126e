#pragma once

#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// The reference, at rest.
void lie_still(const Exec& exec, const Domain& domain, const GasLaw& law, const GasReference& reference,
               GasState& state);

/// p' from density and heat.
void find_pressure(const StepFrame& frame, const GasState& state, Field<float>& pressure);

/// How fast things cross cells, the largest of all [1/s].
struct Rates {
  double sound;  ///< sum of the speeds along all axes, and sound: what limits explicit steps, a fifth to spare
  double flow;   ///< sum of the speeds alone
  double pull;   ///< sqrt of the largest acceleration by pressure over h: what a flow may become within a step [1/s]
  double mach;   ///< speed over that of sound
};
Rates find_rates(const StepFrame& frame, const GasState& state, const Field<float>& pressure);

/// Integrals over the domain, of absolute values; in 2D per metre of depth.
struct GasSums {
  double mass = 0, kinetic_energy = 0, inner_energy = 0;  ///< [kg], [J], [J]
  Vec3d momentum{};                                       ///< [kg m/s]
  double fastest = 0;                                     ///< [m/s]
};
GasSums find_sums(const StepFrame& frame, const GasState& state, const Field<float>& pressure);

/// Density [kg/m^3], pressure [Pa] and temperature [K] of each cell, absolute, packed, x fastest.
void pack_gas(const StepFrame& frame, const GasState& state, const Field<float>& pressure, Buffer<float>& density,
              Buffer<float>& absolute_pressure, Buffer<float>& temperature);

/// The smallest density and pressure of any cell.
struct Least {
  double density, pressure;
};
Least find_least(const StepFrame& frame, const GasState& state, const Field<float>& pressure);

}  // namespace silt::gas

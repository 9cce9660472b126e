#pragma once

#include "silt/physics/common/cover_amounts.h"
#include "silt/physics/common/fuel_law.h"
#include "silt/physics/common/setting.h"
#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// Puts the gas under a cover into a given state, its velocity apart: what `content` does not say stays.
void put_content(const StepFrame& frame, const CoverAmounts& cover, const GasContent& content, GasState& state);

/// Holds the temperature under a cover, at the density it has: p = rho R T, or F = T / rho^(gamma - 1)       (3.14)
void hold_temperature(const StepFrame& frame, const CoverAmounts& cover, double temperature, GasState& state);

/// Gives heat to the gas under a cover [J/m^3].
void add_heat(const StepFrame& frame, const CoverAmounts& cover, double energy, GasState& state);

/// What burning does to gas in a step: the heat of what burns stays where it is, and so does its soot.
struct GasFire {
  FuelLaw law;
  double heat;  ///< of a unit of fuel [J/m^3]
  double soot;  ///< smoke of a unit of fuel
};
void burn_fuel(const StepFrame& frame, const GasFire& fire, GasState& state);
/// Fuel that burns a second, for a frame; `law` by the rate. Packed, x fastest.
void pack_flame(const StepFrame& frame, const FuelLaw& law, GasState& state, Buffer<float>& out);

/// Volume of the gas under a cover, what solids take of it apart [m^3]; in 2D for a metre of depth.
double covered_volume(const StepFrame& frame, const CoverAmounts& cover);

}  // namespace silt::gas

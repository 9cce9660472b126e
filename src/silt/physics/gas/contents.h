#pragma once

#include "silt/physics/common/cover_amounts.h"
#include "silt/physics/common/setting.h"
#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// Puts the gas under a cover into a given state, its velocity apart: what `content` does not say stays.
void put_content(const StepFrame& frame, const CoverAmounts& cover, const GasContent& content, GasState& state);

/// Holds the temperature under a cover, at the density it has: p = rho R T, or F = T / rho^(gamma - 1)       (3.14)
void hold_temperature(const StepFrame& frame, const CoverAmounts& cover, double temperature, GasState& state);

/// Gives heat to the gas under a cover [J/m^3].
void add_heat(const StepFrame& frame, const CoverAmounts& cover, double energy, GasState& state);

/// Volume under a cover [m^3]; in 2D for a metre of depth.
double covered_volume(const Domain& domain, const CoverAmounts& cover);

}  // namespace silt::gas

#pragma once

#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// What keeps shocks a few cells wide: a pressure q in cells that are squeezed,
///   q = rho (c_1 c J J / (J + c / 50) + c_2 J^2),   J = the part of the squeeze that is no smooth slope [m/s].
/// J is, axis by axis, what a velocity on both sides of a cell differs by beyond what its neighbours' differences
/// allow [Ch90], and no more than the cell loses volume by: a flow without divergence feels nothing of it.
///   [VNR50] von Neumann & Richtmyer 1950, A method for the numerical calculation of hydrodynamic shocks
///   [Ch90] Christensen 1990, Godunov methods on a staggered mesh (as told by Caramana, Shashkov & Whalen 1998)
struct SqueezeOptions {
  double linear = 0.5, quadratic = 1.2;  ///< c_1, c_2
};

/// push = q on the domain's cells [Pa]. Reads two layers of halo of the velocity.
void squeeze(const StepFrame& frame, const SqueezeOptions& options, const MacField<float>& velocity,
             const Field<float>& density, const Field<float>& pressure, Field<float>& push);

}  // namespace silt::gas

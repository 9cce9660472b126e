#pragma once

#include "silt/physics/common/setting.h"
#include "silt/physics/gas/gas_state.h"
#include "silt/physics/gas/params.h"

namespace silt::gas {

/// Air at rest under the setting's gravity, halo included: p_0 and rho_0 where grad p_0 = rho_0 g. Without gravity they
/// are the same everywhere. It holds ambient pressure and temperature at the lattice's origin.
///   isothermal   rho_0 ~ exp(g . x / (R T))
///   isentropic   T = T_a + g . x (gamma - 1) / (gamma R),  rho_0 ~ T^(1 / (gamma - 1)); at least a tenth of T_a
///   linear gas   rho_0 ~ exp(g . x / c^2)
void find_atmosphere(const Setting& setting, const GasParams& params, GasReference& out);

}  // namespace silt::gas

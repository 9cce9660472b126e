#pragma once

#include <cmath>

#include "silt/core/macros.h"

namespace silt::gas {

/// What a gas carries besides mass and momentum, and so what its pressure is:
///   linear   nothing; p = p_0 + c^2 (rho - rho_0)                                             (3.3)
///   entropy  the entropy factor F = T / rho^(gamma - 1), over that of the reference; p = R F rho^gamma (3.13, 3.14)
///   energy   the inner energy p / (gamma - 1)
/// Numbers of equations are those of Bonner's thesis.
enum class Heat { linear, entropy, energy };

/// Of an ideal gas, or of one whose pressure is linear. Absolute values, SI units.
struct GasLaw {
  float gamma = 1.4f;        ///< ratio of specific heats
  float gas_constant = 287;  ///< R [J/(kg K)]
  float linear_c2 = 0;       ///< square of the speed of sound of a linear gas [m^2/s^2]
  float factor_0 = 0;        ///< entropy factor of the reference, times R [Pa / (kg/m^3)^gamma]
  Heat heat = Heat::energy;

  /// Square of the speed of sound [m^2/s^2].
  SILT_HD_INLINE float c2(float p, float rho) const { return heat == Heat::linear ? linear_c2 : gamma * p / rho; }
  SILT_HD_INLINE float temperature(float p, float rho) const { return p / (gas_constant * rho); }
  /// Of the entropy form; `factor` is F / F_0.
  SILT_HD_INLINE float pressure_of_factor(float factor, float rho) const {
    return float(double(factor_0) * factor * std::pow(double(rho), double(gamma)));  // in float air at rest would hum
  }
  SILT_HD_INLINE float factor_of_pressure(float p, float rho) const {
    return float(p / (double(factor_0) * std::pow(double(rho), double(gamma))));
  }
};

}  // namespace silt::gas

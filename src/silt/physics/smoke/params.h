#pragma once

#include <algorithm>
#include <optional>

#include "silt/geometry/keyframes.h"
#include "silt/physics/common/advect.h"
#include "silt/physics/smoke/buoyancy.h"
#include "silt/scene/table.h"

namespace silt {

enum class Splitting { plain, reflection };
enum class SmokeTransport { conservative, advective };

/// What a scene may say of smoke: the [smoke] block.
struct SmokeParams {
  Advection advection = Advection::maccormack;
  Tracing tracing = Tracing::rk2;
  bool clamp = true;                                        ///< of MacCormack and BFECC
  SmokeTransport transport = SmokeTransport::conservative;  ///< of density, temperature, fuel and colours
  Splitting splitting = Splitting::reflection;
  Animated<double> viscosity = 0.0;              ///< kinematic [m^2/s]
  double ambient_temperature = 293;              ///< [K]
  Animated<double> buoyancy = 1.0;               ///< scales the lift of hot air; 1 is ideal gas
  Animated<double> weight = 0.1;                 ///< downward acceleration in units of g for density 1
  Animated<double> vorticity_confinement = 0.0;  ///< [1/s]
  Animated<double> dissipation = 0.0;            ///< of density [1/s]
  Animated<double> cooling = 0.0;                ///< of temperature towards ambient [1/s]
  Animated<double> burn_rate = 4.0;              ///< share of the fuel that burns [1/s]
  double ignition_temperature = 450;             ///< [K]
  Animated<double> fuel_heat = 1500.0;           ///< rise in temperature of a unit of fuel [K]
  Animated<double> fuel_soot = 0.5;              ///< density that a unit of fuel makes
  Animated<double> expansion = 1.0;              ///< how much burning swells the air; 1 is ideal gas
  std::optional<double> cfl{};                   ///< cells the fastest fluid may cross in a substep
  double tolerance = 1e-5;                       ///< relative residual of the pressure solve
  int max_iterations = 2000;

  /// Whether there is any viscosity, now or at another time.
  bool viscous() const { return !viscosity.constant() || viscosity(0) > 0; }
  AdvectionOptions advection_options() const { return {advection, tracing, clamp}; }
  BuoyancyLaw buoyancy_law(double t) const {
    return {float(ambient_temperature), float(buoyancy(t)), float(weight(t))};
  }
  /// cfl, or else 2 where the scheme allows it. A tenth of its limit is left for what pressure adds within the step.
  double cells_per_step(int dims) const;
};

const Table<SmokeParams>& smoke_table();

}  // namespace silt

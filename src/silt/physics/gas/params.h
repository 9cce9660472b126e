#pragma once

#include "silt/physics/gas/face_value.h"
#include "silt/physics/gas/law.h"
#include "silt/physics/gas/momentum.h"
#include "silt/scene/table.h"

namespace silt {

/// Which equations are solved; numbers of sections are those of Bonner 2007, Compressible subsonic flow on a staggered
/// grid.
enum class GasForm {
  velocity,  ///< 3.2: velocity, p = c^2 rho
  entropy,   ///< 3.3: velocity and entropy, an ideal gas without shocks
  momentum,  ///< 3.4: momentum, p = c^2 rho
  energy     ///< momentum and energy, an ideal gas
};
/// How pressure is followed within a step.
enum class GasPressure { automatic, explicit_, implicit };
/// How the air lies before anything happens, where there is gravity.
enum class Atmosphere { isothermal, isentropic };

/// What a scene may say of gas: the [gas] block. SI units.
struct GasParams {
  GasForm form = GasForm::energy;
  gas::Flux flux = gas::Flux::limited;
  GasPressure pressure = GasPressure::automatic;
  bool time_centred = false;     ///< of implicit steps: the mean of both ends, where else only the end counts
  double gamma = 1.4;            ///< ratio of specific heats
  double gas_constant = 287.05;  ///< of a kilogramme [J/(kg K)]
  double speed_of_sound = 340;   ///< of the linear forms [m/s]
  double ambient_temperature = 293, ambient_pressure = 101325;  ///< [K], [Pa]; where the domain is lowest
  Atmosphere atmosphere = Atmosphere::isothermal;
  double burn_rate = 200;             ///< share of the fuel that burns [1/s]
  double ignition_temperature = 700;  ///< [K]
  double fuel_heat = 1.3e6;           ///< of a unit of fuel [J/m^3]
  double fuel_soot = 0.5;             ///< smoke that a unit of fuel makes
  double cfl = 0.6;         ///< of what is stable (explicit), or cells that gas may cross (implicit), in a substep
  double tolerance = 1e-6;  ///< relative residual of the pressure solve
  int max_iterations = 500;

  bool ideal() const { return form == GasForm::entropy || form == GasForm::energy; }
  gas::Heat heat() const;
  gas::Carried carried() const;
  gas::GasLaw law() const;
  double ambient_density() const { return ambient_pressure / (gas_constant * ambient_temperature); }
  /// How much the end of an implicit step counts in its mean. Time-centred, more than half in a wind of Mach `mach`:
  /// what is carried is that of the beginning, by which sound that runs with the wind grows. A wave that turns by w in
  /// a step becomes at most |1 + i (mach + 1 - theta) w| / |1 + i theta w| as strong, and that is 1.
  double theta(double mach) const { return time_centred && mach < 1 ? 0.5 * (1 + mach) : 1; }
};

const Table<GasParams>& gas_table();

}  // namespace silt

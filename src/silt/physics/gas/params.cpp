#include "silt/physics/gas/params.h"

#include <cmath>
#include <vector>

#include "silt/physics/common/pressure_parameters.h"

namespace silt {

gas::Heat GasParams::heat() const {
  return form == GasForm::energy    ? gas::Heat::energy
         : form == GasForm::entropy ? gas::Heat::entropy
                                    : gas::Heat::linear;
}

gas::Carried GasParams::carried() const {
  return form == GasForm::momentum || form == GasForm::energy ? gas::Carried::conserved : gas::Carried::advected;
}

gas::GasLaw GasParams::law() const {
  return {.gamma = float(gamma),
          .gas_constant = float(gas_constant),
          .linear_c2 = float(speed_of_sound * speed_of_sound),
          .factor_0 = float(ambient_pressure / std::pow(ambient_density(), gamma)),
          .heat = heat()};
}

namespace {

using P = GasParams;
using Rows = std::vector<Parameter<P>>;

Rows of_equations() {
  return {
      choice("form", &P::form,
             {{"energy", GasForm::energy, "an ideal gas that keeps mass, momentum and energy: shocks are right"},
              {"entropy", GasForm::entropy,
               "an ideal gas that keeps its entropy (Bonner 3.3): sound and heat, no strong shocks"},
              {"momentum", GasForm::momentum,
               "pressure in proportion to density, keeps momentum (Bonner 3.4); without temperature"},
              {"velocity", GasForm::velocity, "pressure in proportion to density (Bonner 3.2); without temperature"}},
             {.help = "which equations are solved"}),
      choice("flux", &P::flux,
             {{"limited", gas::Flux::limited, "second order where the flow is smooth, no overshoots: sharp"},
              {"upwind", gas::Flux::upwind, "first order: soft"},
              {"zip", gas::Flux::zip, "Harlow and Amsden's products for momentum, else upwind"}},
             {.help = "how the flow carries things across faces"}),
      choice("pressure", &P::pressure,
             {{"auto", GasPressure::automatic,
               "implicit where that allows far longer steps, else explicit; sound that frames show is kept"},
              {"explicit", GasPressure::explicit_, "steps that sound crosses part of a cell in: shocks are sharp"},
              {"implicit", GasPressure::implicit,
               "steps by the speed of the gas alone: slow flows are quick, sound that they do not resolve fades"}},
             {.help = "how pressure is followed within a step"}),
      boolean("time_centred", &P::time_centred,
              {.help = "implicit steps take the mean of both ends, in winds more of the later: sound fades far less, "
                       "shocks may ring"}),
  };
}

Rows of_air() {
  return {
      number("gamma", &P::gamma,
             {.above = 1, .max = 5, .help = "ratio of specific heats: 1.4 of air, 5/3 of single atoms"}),
      number("gas_constant", &P::gas_constant,
             {.unit = "J/(kg K)", .above = 0, .max = 1e5, .help = "of a kilogramme of it: 287 of air"}),
      number("speed_of_sound", &P::speed_of_sound,
             {.unit = "m/s", .above = 0, .max = 1e6, .help = "of the forms \"velocity\" and \"momentum\""}),
      number("ambient_temperature", &P::ambient_temperature,
             {.unit = "K", .min = 1, .max = 1e5, .help = "of the air around"}),
      number("ambient_pressure", &P::ambient_pressure,
             {.unit = "Pa", .above = 0, .max = 1e12, .help = "of the air around, at the domain's origin"}),
      choice("atmosphere", &P::atmosphere,
             {{"isothermal", Atmosphere::isothermal, "as warm at any height"},
              {"isentropic", Atmosphere::isentropic, "cooler above, as well-mixed air is"}},
             {.help = "how air lies under gravity before anything happens"}),
  };
}

Rows of_fire() {
  return {
      number("burn_rate", &P::burn_rate,
             {.unit = "1/s",
              .min = 0,
              .max = 1e6,
              .help = "how fast fuel burns where it is hot enough: to half after 0.693 / burn_rate"}),
      number("ignition_temperature", &P::ignition_temperature,
             {.unit = "K", .above = 0, .max = 1e5, .help = "fuel burns where it is at least as hot as this"}),
      number("fuel_heat", &P::fuel_heat,
             {.unit = "J/m^3",
              .min = 0,
              .max = 1e12,
              .help = "heat of a cubic metre with a unit of fuel in it: 1.3e6 makes the air in it 1500 K hotter"}),
      number("fuel_soot", &P::fuel_soot, {.min = 0, .max = 1e4, .help = "amount of smoke a unit of fuel makes"}),
  };
}

Rows of_steps() {
  return {
      number("cfl", &P::cfl,
             {.min = 0.01,
              .max = 1,
              .help = "how long steps are: the part of what is stable; with an implicit pressure, the cells that gas "
                      "may cross",
              .resumable = true}),
      solve_tolerance(&P::tolerance, 1e-12),
      solve_iterations(&P::max_iterations),
  };
}

Rows joined(std::initializer_list<Rows> groups) {
  Rows out;
  for (const Rows& group : groups) out.insert(out.end(), group.begin(), group.end());
  return out;
}

}  // namespace

const Table<GasParams>& gas_table() {
  static const Table<P> table{
      "gas", "Gas that can be squeezed: sound, blasts and shocks, and winds slow enough to hear nothing of them.",
      joined({of_equations(), of_air(), of_fire(), of_steps()})};
  return table;
}

}  // namespace silt

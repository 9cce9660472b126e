#include "silt/physics/smoke/params.h"

#include <algorithm>

#include "silt/physics/common/pressure_parameters.h"

namespace silt {

double SmokeParams::cells_per_step(int dims) const {
  return cfl.value_or(std::min(2.0, 0.9 * cfl_limit(advection_options(), dims)));
}

const Table<SmokeParams>& smoke_table() {
  using P = SmokeParams;
  static const Table<P> table{
      "smoke",
      "Smoke and hot air: incompressible flow that carries density and temperature and rises where it is hot.",
      {
          choice(
              "advection", &P::advection,
              {{"maccormack", Advection::maccormack, "semi-Lagrangian, corrected after the step; second order, sharp"},
               {"bfecc", Advection::bfecc,
                "semi-Lagrangian, corrected before the step; second order, half dearer again"},
               {"cubic", Advection::cubic, "semi-Lagrangian, monotone cubic interpolation; sharp, never overshoots"},
               {"linear", Advection::linear, "semi-Lagrangian, linear interpolation; first order, soft, quick"},
               {"upwind", Advection::upwind, "finite differences against the flow; first order, soft, small steps"},
               {"lax_friedrichs", Advection::lax_friedrichs, "central differences of means; very soft, small steps"},
               {"lax_wendroff", Advection::lax_wendroff, "second-order differences; rings at edges, small steps"}},
              {.help = "how the flow carries velocity"}),
          choice("transport", &P::transport,
                 {{"conservative", SmokeTransport::conservative,
                   "by what crosses the faces of cells: none is lost or made; second order, sharp, never overshoots"},
                  {"advective", SmokeTransport::advective, "as `advection` says: values move along, amounts vary"}},
                 {.help = "how the flow carries smoke, heat, fuel and colours"}),
          choice("tracing", &P::tracing,
                 {{"rk2", Tracing::rk2, "midpoint rule"}, {"rk3", Tracing::rk3, "Ralston's third-order rule"}},
                 {.help = "how semi-Lagrangian schemes follow the flow back"}),
          boolean("clamp", &P::clamp,
                  {.help = "holds what maccormack and bfecc give between the values it came from: no new extrema"}),
          choice("splitting", &P::splitting,
                 {{"plain", Splitting::plain, "advect, then project: one pressure solve, damps swirls"},
                  {"reflection", Splitting::reflection, "advection-reflection: two pressure solves, keeps swirls"}},
                 {.help = "how advection and pressure are interleaved"}),
          number("viscosity", &P::viscosity,
                 {.unit = "m^2/s",
                  .min = 0,
                  .max = 1e6,
                  .help = "kinematic viscosity; air has 1.5e-5, which no picture shows: 0 leaves it out"}),
          number("ambient_temperature", &P::ambient_temperature,
                 {.unit = "K", .min = 1, .max = 5000, .help = "temperature of the air around; does not rise"}),
          number("buoyancy", &P::buoyancy,
                 {.min = 0, .max = 100, .help = "scales the lift of hot air: g (T - T_ambient) / T at 1"}),
          number("weight", &P::weight,
                 {.min = 0, .max = 100, .help = "how much the smoke itself weighs: density 1 falls at this many g"}),
          number("vorticity_confinement", &P::vorticity_confinement,
                 {.unit = "1/s",
                  .min = 0,
                  .max = 1000,
                  .help = "strengthens swirls that the grid smooths away, at up to this rate; counts as at most 0.005 "
                          "times the cells that the fastest flow crosses a second"}),
          number(
              "dissipation", &P::dissipation,
              {.unit = "1/s", .min = 0, .max = 1e4, .help = "how fast smoke fades: to half after 0.693 / dissipation"}),
          number("cooling", &P::cooling,
                 {.unit = "1/s",
                  .min = 0,
                  .max = 1e4,
                  .help = "how fast it cools to the ambient temperature: half way after 0.693 / cooling"}),
          number("burn_rate", &P::burn_rate,
                 {.unit = "1/s",
                  .min = 0,
                  .max = 1e4,
                  .help = "how fast fuel burns where it is hot enough: to half after 0.693 / burn_rate"}),
          number("ignition_temperature", &P::ignition_temperature,
                 {.unit = "K", .above = 0, .max = 1e5, .help = "fuel burns where it is at least as hot as this"}),
          number(
              "fuel_heat", &P::fuel_heat,
              {.unit = "K", .min = 0, .max = 1e5, .help = "how much hotter a unit of fuel makes the air as it burns"}),
          number("fuel_soot", &P::fuel_soot,
                 {.min = 0, .max = 1e4, .help = "density of the smoke a unit of fuel makes"}),
          number("expansion", &P::expansion,
                 {.min = 0, .max = 10, .help = "how much the air swells as it burns: 1 is ideal gas, 0 not at all"}),
          number("cfl", &P::cfl,
                 {.min = 0.1,
                  .max = 10,
                  .help = "cells the fastest fluid may cross in one substep; if absent 2, less for finite differences",
                  .resumable = true}),
          solve_tolerance(&P::tolerance, 1e-10),
          solve_iterations(&P::max_iterations),
      }};
  return table;
}

}  // namespace silt

#include "silt/physics/gas/gas_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "silt/physics/gas/atmosphere.h"
#include "silt/physics/gas/gas_kernels.h"
#include "silt/physics/gas/open_sides.h"
#include "silt/physics/gas/shown_sound.h"

namespace silt {

namespace {

/// What is put there before this is there at the start [s].
constexpr double first_instant = 1e-12;

/// An implicit step costs about so many explicit ones.
constexpr double implicit_costs = 4;

bool ever_positive(const Animated<double>& value) {
  return std::any_of(value.keys().begin(), value.keys().end(), [](const auto& key) { return key.second > 0; });
}
bool any_fuel(const Setting& setting) {
  return std::any_of(setting.gas_fills.begin(), setting.gas_fills.end(), [](const auto& f) { return f.fuel > 0; }) ||
         std::any_of(setting.gas_sources.begin(), setting.gas_sources.end(),
                     [](const auto& source) { return source.fuel && ever_positive(*source.fuel); }) ||
         std::any_of(setting.inflows.begin(), setting.inflows.end(),
                     [](const auto& inflow) { return ever_positive(inflow.fuel); });
}
/// What burns makes some.
bool any_smoke(const Setting& setting) {
  return any_fuel(setting) ||
         std::any_of(setting.gas_fills.begin(), setting.gas_fills.end(), [](const auto& f) { return f.smoke > 0; }) ||
         std::any_of(setting.gas_sources.begin(), setting.gas_sources.end(),
                     [](const auto& source) { return source.smoke.has_value(); }) ||
         std::any_of(setting.inflows.begin(), setting.inflows.end(),
                     [](const auto& inflow) { return ever_positive(inflow.density); });
}

}  // namespace

GasStepper::GasStepper(const GasParams& params, const Setting& setting, const Layout& layout, double frame)
    : params_(params),
      setting_(setting),
      shown_period_(frame > 0 && gas::shows_sound(params, setting.domain, frame) ? gas::frames_a_period * frame : 0),
      work_(layout, params.heat()) {
  gas::find_atmosphere(setting, params, work_.reference);
  work_.inlets = gas::Inlets(setting);
}

GasState GasStepper::make_state() const {
  GasState out(work_.us.layout(), params_.heat(), any_smoke(setting_), any_fuel(setting_),
               !all_still(setting_.obstacles));
  for (const gas::OpenSide& side : gas::open_sides(setting_.domain))
    out.at_sides.emplace_back(std::size_t(side.faces.count()));
  return out;
}

double GasStepper::stable_step(const Exec& exec, double time, GasState& state) {
  const gas::StageParts all = parts(false);
  StepContext step(exec, setting_.domain, time, 0);
  gas::SetInflows{all}.run(state, step);
  if (work_.placed_at < 0) gas::PlaceSolids{all, time}.run(state, step);  // after a checkpoint
  gas::FindPressure{all}.run(state, step);
  gas::Rates rates = gas::find_rates(all.frame(step), state, all.pressure(state));
  const double blown = work_.inlets.fastest() / setting_.domain.lattice.h;
  if (blown > rates.flow) rates.sound += 1.25 * (blown - rates.flow), rates.flow = blown;
  work_.sound_limit = params_.cfl / rates.sound;
  work_.theta = params_.theta(rates.mach);
  // What pressure adds within the step counts too: cfl h >= (|u| + a dt) dt                              [KSGF09]
  const double flow = rates.flow, pull = rates.pull * rates.pull;
  double of_flow = std::numeric_limits<double>::infinity();
  if (flow > 0 || pull > 0) of_flow = 2 * params_.cfl / (flow + std::sqrt(flow * flow + 4 * pull * params_.cfl));
  if (params_.pressure == GasPressure::automatic && shown_period_ > 0) {
    if (!params_.time_centred) work_.theta = std::min(1.0, gas::kept_theta + 0.5 * rates.mach);
    of_flow = std::min(of_flow, shown_period_ / gas::steps_a_period(work_.theta));
  }
  const bool implicit = params_.pressure == GasPressure::implicit ||
                        (params_.pressure == GasPressure::automatic && of_flow > implicit_costs * work_.sound_limit);
  double out = implicit ? of_flow : work_.sound_limit;
  for (const GasFill& fill : setting_.gas_fills)  // a blast begins with a step
    if (fill.time > time) out = std::min(out, fill.time - time);
  return out;
}

void GasStepper::start(const Exec& exec, GasState& state) {
  state = make_state();
  gas::lie_still(exec, setting_.domain, params_.law(), work_.reference, state);
  StepContext step(exec, setting_.domain, 0, 0);
  work_.placed_at = -1;
  gas::SetInflows{parts(false)}.run(state, step);
  gas::PlaceSolids{parts(false), 0}.run(state, step);
  gas::FillRegions{parts(false), 0, first_instant}.run(state, step);
  gas::FlowIntoSolids{parts(false)}.run(state, step);
  gas::FindPressure{parts(false)}.run(state, step);
  gas::begin_open(parts(false).frame(step), parts(false).pressure(state), state);
}

void GasStepper::substep(GasState& state, StepContext& step) {
  constexpr double rounding = 1 + 1e-9;
  const gas::StageParts all =
      parts(params_.pressure == GasPressure::implicit ||
            (params_.pressure == GasPressure::automatic && step.dt > work_.sound_limit * rounding));
  step.walls = walls_at(setting_, step.time + step.dt);
  const double from = std::max(step.time, first_instant);
  step.run(gas::FillRegions{all, from, step.time + step.dt}, state);  // p, T, u of blasts
  step.run(gas::SetInflows{all}, state);                              // U, T and smoke of what blows in
  step.run(gas::PlaceSolids{all, step.time + step.dt}, state);        // A_f, V and u_solid                     [NMG09]
  step.run(gas::HoldSources{all}, state);       // T, u and smoke in sources                          (3.14)
  step.run(gas::Burn{all}, state);              // F e^(-k dt) where hot; p, smoke
  step.run(gas::AddForces{all}, state);         // u  += dt a, of force fields
  step.run(gas::FlowIntoSolids{all}, state);    // u . n = u_solid . n beyond surfaces
  step.run(gas::FindPressure{all}, state);      // p  = that of the state                             (3.3, 3.13)
  step.run(gas::FindSqueeze{all}, state);       // q  = rho (c_1 c J + c_2 J^2), in shocks
  step.run(gas::LookAhead{all}, state);         // us = u + dt/2 (-u . grad u - grad (p + q) / rho + g)
  if (all.implicit)                             //
    step.run(gas::SolvePressure{all}, state);   // p / (rho c^2) - dt^2 div(grad p / rho) = ..., us   (3.26) [KSGF09]
  step.run(gas::CarryMassAndHeat{all}, state);  // rho -= dt div(rho us), p -= dt (div(p us) + (gamma - 1) p div us)
  step.run(gas::CarryMomentum{all}, state);     // rho u -= dt (div(rho us u) + grad (p + q)); heat   (3.30) [HLN14]
  step.run(gas::CarrySmoke{all}, state);        // s  -= dt div(s us)
}

}  // namespace silt

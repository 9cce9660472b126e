#include "silt/physics/smoke/fire.h"

#include <cmath>

#include "silt/physics/smoke/burning.h"
#include "silt/physics/smoke/colour.h"

namespace silt::smoke {

void Burn::run(SmokeState& state, StepContext& step) const {
  if (!state.fuel.allocated()) return;
  if (!work.expansion.allocated()) work.expansion = Field<float>(state.fuel.layout());
  const double t = step.middle(), heat = params.fuel_heat(t);
  const BurnLaw law{.share = -std::expm1(-params.burn_rate(t) * step.dt),
                    .ignition = params.ignition_temperature - params.ambient_temperature,
                    .heat = heat,
                    .soot = params.fuel_soot(t),
                    .ambient = params.ambient_temperature,
                    .swelling = params.expansion(t) * heat / step.dt};
  burn_fuel(step.exec, step.domain, law, setting.smoke_colour, state.fuel, state.temperature, state.density,
            state.colour, work.expansion);
  // A cell that a solid leaves little of has little to swell.
  if (work.room.allocated()) multiply_cells(step.exec, step.domain, work.room, work.expansion);
}

}  // namespace silt::smoke

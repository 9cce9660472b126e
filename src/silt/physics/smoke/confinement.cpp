#include "silt/physics/smoke/confinement.h"

#include "silt/physics/smoke/vorticity.h"

namespace silt::smoke {

void ConfineVorticity::run(SmokeState& state, StepContext& step) const {
  const double strength = params.vorticity_confinement(step.middle());
  if (strength == 0) return;
  step.fill_halo(state.velocity);
  confine_vorticity(step.exec, step.domain, strength, share * step.dt, work.other, work.carried, state.velocity);
}

}  // namespace silt::smoke

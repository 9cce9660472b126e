#include "silt/physics/smoke/confinement.h"

#include "silt/fields/operators.h"
#include "silt/physics/smoke/vorticity.h"

namespace silt::smoke {

void ConfineVorticity::run(SmokeState& state, StepContext& step) const {
  const double asked = params.vorticity_confinement(step.middle());
  if (asked == 0) return;
  const double speed = max_face_speed(step.exec, step.domain, state.velocity, work.cut.open);
  const double strength = confinement_strength(asked, speed, step.domain.lattice.h);
  step.fill_halo(state.velocity);
  confine_vorticity(step.exec, step.domain, strength, share * step.dt, work.other, work.carried, state.velocity);
}

}  // namespace silt::smoke

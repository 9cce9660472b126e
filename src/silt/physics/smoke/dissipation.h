#pragma once

#include "silt/physics/common/step_context.h"
#include "silt/physics/smoke/params.h"
#include "silt/physics/smoke/smoke_state.h"

namespace silt::smoke {

/// d(density)/dt = -dissipation density,  dT'/dt = -cooling T',  both exactly: the same in one step as in many.
struct Dissipate {
  static constexpr const char* name = "smoke.dissipation";
  const SmokeParams& params;
  void run(SmokeState& state, StepContext& step) const;
};

}  // namespace silt::smoke

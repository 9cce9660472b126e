#pragma once

#include "silt/physics/common/step_context.h"
#include "silt/physics/smoke/params.h"
#include "silt/physics/smoke/smoke_state.h"

namespace silt::smoke {

/// u += share dt eps h (N x omega): see vorticity.h.
struct ConfineVorticity {
  static constexpr const char* name = "smoke.confinement";
  const SmokeParams& params;
  SmokeWorkspace& work;
  double share;
  void run(SmokeState& state, StepContext& step) const;
};

}  // namespace silt::smoke

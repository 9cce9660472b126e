#pragma once

#include "silt/physics/common/setting.h"
#include "silt/physics/common/step_context.h"
#include "silt/physics/smoke/params.h"
#include "silt/physics/smoke/smoke_state.h"

namespace silt::smoke {

/// dF/dt = -burn_rate F where T >= ignition_temperature, exactly; what burns becomes heat, soot and volume. See
/// burning.h. Leaves the rate at which the air swells in the workspace, for the projection.
struct Burn {
  static constexpr const char* name = "smoke.fire";
  const SmokeParams& params;
  const Setting& setting;
  SmokeWorkspace& work;
  void run(SmokeState& state, StepContext& step) const;
};

}  // namespace silt::smoke

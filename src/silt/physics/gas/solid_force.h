#pragma once

#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// Force on one obstacle [N], by its number: the pressure on what it closes of the cells beside it. In 2D per metre.
Vec3d solid_force(const StepFrame& frame, int number, const Field<float>& push);

}  // namespace silt::gas

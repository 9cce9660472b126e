#pragma once

#include "silt/physics/gas/step_frame.h"

namespace silt::gas {

/// Force on one obstacle [N], by its number: what pressure differs by from that of air at rest, on what it closes of
/// the cells beside it, and the lift of that air, the weight of as much of it as the obstacle takes the place of. Where
/// it touches a wall it is as if air at rest were there, and not nothing. In 2D per metre.
Vec3d solid_force(const StepFrame& frame, int number, const Field<float>& push);

}  // namespace silt::gas

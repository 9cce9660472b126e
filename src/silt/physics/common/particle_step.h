#pragma once

#include "silt/physics/common/setting.h"

namespace silt {

/// The fastest that anything prescribed (solids, emitters, winds) moves at `time` [m/s].
double prescribed_speed(const Setting& setting, double time);

/// The longest step [s] in which particles, none of them faster than `speed` [m/s], cross no more than `cfl` cells,
/// with what is prescribed and what forces add within the step; and a wave one cell long no more than half of one.
/// Infinity when nothing moves.
double particle_step(const Setting& setting, double time, double speed, double cfl);

}  // namespace silt

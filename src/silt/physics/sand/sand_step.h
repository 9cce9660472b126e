#pragma once

#include "silt/physics/common/setting.h"

namespace silt {

/// How fast sand moves [m/s].
struct SandSpeeds {
  double fastest = 0;  ///< any grain
  double bearing = 0;  ///< of what bears and rubs
};

/// The longest step [s]. Sand that bears crosses no more than `cfl` cells, and no solid more than that: stress is
/// worked out where it is. What flies has no such limit, for free fall is exact in a step of any length: it crosses at
/// most three times as much, so that what lands in one step does not fill more than some layers of cells beyond what
/// they hold. And a step of gravity is no more than a half of sqrt(h / g). Infinity when nothing moves.
double sand_step(const Setting& setting, double time, const SandSpeeds& speeds, double cfl);

}  // namespace silt

#include "silt/physics/sand/sand_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "silt/core/reduction.h"
#include "silt/physics/common/force_fields.h"
#include "silt/physics/common/particle_step.h"

namespace silt {
namespace {

constexpr double flies = 3;           ///< times as far as what bears
constexpr double gravity_step = 0.5;  ///< [sqrt(h / g)]

/// reach >= (speed + a dt) dt.
double longest(double reach, double speed, double a) {
  return speed == 0 && a == 0 ? std::numeric_limits<double>::infinity()
                              : 2 * reach / (speed + std::sqrt(speed * speed + 4 * a * reach));
}

}  // namespace

double sand_step(const Setting& setting, double time, const SandSpeeds& speeds, double cfl) {
  double bearing = Max::combine(std::min(speeds.bearing, speeds.fastest), 0);
  for (const Obstacle& o : setting.obstacles) bearing = std::max(bearing, fastest_part(o, setting.domain, time));
  const double flying = Max::combine(prescribed_speed(setting, time), speeds.fastest);  // NaN stays NaN
  const double h = setting.domain.lattice.h, a = length(setting.gravity) + largest_push(setting.forces, time);
  const double by_speed = std::min(longest(flies * cfl * h, flying, a), longest(cfl * h, bearing, a));
  return a > 0 ? std::min(by_speed, gravity_step * std::sqrt(h / a)) : by_speed;
}

}  // namespace silt

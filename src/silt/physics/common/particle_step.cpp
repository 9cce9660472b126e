#include "silt/physics/common/particle_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "silt/core/reduction.h"
#include "silt/physics/common/force_fields.h"

namespace silt {
namespace {

/// A wave one cell long must not go further than this in a step [cells^(1/2) of sqrt(h / g)]: its height is moved by
/// the velocity that follows from it, which is stable up to 2 / sqrt(pi).
constexpr double wave_step = 0.5;

}  // namespace

double prescribed_speed(const Setting& setting, double time) {
  double speed = fastest_wind(setting.forces, time);
  for (const Obstacle& o : setting.obstacles) speed = std::max(speed, fastest_part(o, setting.domain, time));
  for (const Emitter& e : setting.emitters)
    if (e.enabled(time)) speed = std::max(speed, length(e.velocity(time)));
  return speed;
}

double particle_step(const Setting& setting, double time, double speed, double cfl) {
  speed = Max::combine(prescribed_speed(setting, time), speed);  // NaN stays NaN
  const double h = setting.domain.lattice.h, reach = cfl * h;
  const double a = length(setting.gravity) + largest_push(setting.forces, time);
  if (speed == 0 && a == 0) return std::numeric_limits<double>::infinity();
  // What forces add within the step counts too: c h >= (speed + a dt) dt.
  const double by_speed = 2 * reach / (speed + std::sqrt(speed * speed + 4 * a * reach));
  return a > 0 ? std::min(by_speed, wave_step * std::sqrt(h / a)) : by_speed;
}

}  // namespace silt

#pragma once

#include <algorithm>
#include <cmath>

#include "silt/fields/domain.h"
#include "silt/physics/gas/params.h"

/// Which sound frames show, and how implicit steps keep it. Of a wave that turns by w in a step, one that counts its
/// end by theta leaves sqrt((1 + (1 - theta)^2 w^2) / (1 + theta^2 w^2)), about 1 - (theta - 1/2) w^2; it comes later
/// by w^2 / 12 of its period, or a little more.
namespace silt::gas {

/// So many frames a period show a wave well.
inline constexpr double frames_a_period = 16;
/// Where the slowest wave of the domain, twice its length, has fewer, sound is over before anybody sees it.
inline constexpr double fewest_frames_a_period = 8;
/// Of implicit steps that have sound to keep, in still air: half would let what no step resolves ring for ever.
inline constexpr double kept_theta = 0.55;

/// The speed of sound in the air around [m/s].
inline double ambient_sound(const GasParams& params) {
  return params.ideal() ? std::sqrt(params.gamma * params.gas_constant * params.ambient_temperature)
                        : params.speed_of_sound;
}

/// Whether frames that are `frame` [s] apart show how sound runs through the domain.
inline bool shows_sound(const GasParams& params, const Domain& domain, double frame) {
  const Vec3d size = domain.upper() - domain.lower();
  double longest = 0;
  for (int a = 0; a < 3; ++a)
    if (domain.lattice.active[a]) longest = std::max(longest, size[a]);
  return 2 * longest > fewest_frames_a_period * frame * ambient_sound(params);
}

/// Steps that a period takes to keep 0.92 of the wave, and to be right to 0.4 %.
inline double steps_a_period(double theta) {
  return std::max(30.0, 500 * (theta - 0.5));
}

}  // namespace silt::gas

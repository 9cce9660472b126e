#pragma once

#include <algorithm>

#include "silt/physics/common/setting.h"
#include "silt/physics/sand/grain_contacts.h"
#include "silt/physics/sand/params.h"
#include "silt/solve/grain_kernels.h"

namespace silt {

/// Of the domain's walls.
inline WallFriction friction_at(const SandParams& params, const Setting& setting, double time) {
  WallFriction out;
  out.sides = side_friction(setting, params.wall_friction);
  for (auto& axis : out.sides)
    for (double& friction : axis) friction = std::min(friction, double(grain::sticks));
  for (const Wall& wall : setting.walls) out.velocity[wall.axis][wall.end] = wall.velocity(time);
  return out;
}

}  // namespace silt

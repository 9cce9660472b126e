#include "silt/fields/walls.h"

namespace silt {

HaloRule velocity_halo(const SideWalls& walls, int component) {
  HaloRule rule;
  for (int axis = 0; axis < 3; ++axis)
    for (int end = 0; end < 2; ++end)
      if (const SideWall& wall = walls[axis][end]; axis != component && wall.no_slip)
        rule.on_wall[axis][end] = wall.velocity[component];
  return rule;
}

}  // namespace silt

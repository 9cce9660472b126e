#pragma once

#include <array>

#include "silt/fields/domain.h"
#include "silt/fields/halo.h"

namespace silt {

/// How one wall of the domain drags the fluid beside it.
struct SideWall {
  bool no_slip = false;  ///< fluid sticks to it; else it slides along freely
  Vec3d velocity{};      ///< of the wall in its own plane [m/s]; matters when fluid sticks to it
};
using SideWalls = std::array<std::array<SideWall, 2>, 3>;  ///< [axis][end]; only sides that are walls count

/// What a velocity component holds just outside the domain: beside a wall that it sticks to, the mirror image that
/// gives the wall's velocity on the wall itself.
HaloRule velocity_halo(const SideWalls& walls, int component);

}  // namespace silt

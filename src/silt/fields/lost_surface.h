#pragma once

#include "silt/fields/domain.h"
#include "silt/geometry/shape.h"

namespace silt {

/// What of a solid the grid does not see. Solids are known at the corners of cells (see cut_cells.h): where one passes
/// through a cell and holds none of its corners, no face is closed, and fluid flows as if nothing were there.
struct LostSurface {
  double share = 0;  ///< of the solid's surface within the domain; a little of it along edges, even of large solids
  double apart = 0;  ///< of its surface, what is more than a cell away from all that is seen: whole parts
  Vec3d place{};     ///< where some of that is [m]
};

/// Looks at cells along the surface, at some thousands of them if there are more.
LostSurface lost_surface(const Shape& solid, const Domain& domain);

}  // namespace silt

#pragma once

#include "silt/fields/frame.h"
#include "silt/geometry/shape.h"

namespace silt {

/// The surface of a solid to be looked at, as it was made, with a normal in each corner: smooth, but for edges where
/// its sides meet at more than 40 degrees. Of a shape that deforms, velocities too. What is endless ends a little
/// outside of the domain.
Mesh solid_mesh(const Shape& shape, const Domain& domain);

}  // namespace silt

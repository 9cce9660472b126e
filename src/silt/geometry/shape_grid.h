#pragma once

#include "silt/core/box.h"
#include "silt/core/buffer.h"
#include "silt/geometry/shape.h"

namespace silt {

/// Signed distances [m] of a shape at the points origin + spacing * c of a box of indices, packed with x fastest.
void shape_distances(const Exec& exec, const Shape& shape, const Vec3d& origin, double spacing, const Box& box,
                     Buffer<float>& out);

}  // namespace silt

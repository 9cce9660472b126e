#pragma once

#include "silt/geometry/shape.h"
#include "silt/geometry/triangle_mesh.h"

namespace silt {

/// A shape's surface in triangles, to be looked at; closed, but for meshes that are not. Primitives and meshes are
/// themselves, united ones lie in each other, and what is cut from another is contoured by cubes of a 128th of its
/// size, or of `finest` [m] where that is less, but not below a 512th. What is endless ends at `within`.
TriangleMesh mesh_of(const Shape& shape, const Shape::Bounds& within, double finest = 1e30);

}  // namespace silt

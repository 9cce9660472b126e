#pragma once

#include "silt/geometry/shape.h"
#include "silt/geometry/triangle_mesh.h"

namespace silt {

/// The surface of a shape in a box, as closed triangles with its edges and corners kept sharp: dual contouring. Every
/// cube of side `cell` [m] that the surface passes through has a vertex, where the tangent planes of its crossings
/// meet. What the shape has outside of the box is left out, and the mesh is open there.
///   [JLSW02] Ju, Losasso, Schaefer & Warren 2002, Dual contouring of Hermite data
TriangleMesh contour(const Shape& shape, const Shape::Bounds& box, double cell);

}  // namespace silt

#pragma once

#include "silt/geometry/mesh_data.h"

namespace silt {

/// How many triangles a ray from x meets, apart from one (a place in the tree).
int crossings(const MeshData& mesh, const Vec3d& x, const Vec3d& direction, int apart_from);

/// Whether two triangles pass through each other. Touching, or lying in one plane, is not that.
bool triangles_cross(const MeshTriangle& s, const MeshTriangle& t);

}  // namespace silt

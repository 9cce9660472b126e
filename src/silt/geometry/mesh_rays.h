#pragma once

#include <cstdint>

#include "silt/geometry/mesh_data.h"

namespace silt {

/// Work that may still be done, in nodes and triangles looked at. Where triangles lie on one another a tree helps
/// little, and all pairs would be too many.
struct MeshWork {
  std::int64_t left;
  bool over() const { return left < 0; }
};

/// How many triangles a ray from x meets, apart from one (a place in the tree); of no use once the work is over.
int crossings(const MeshData& mesh, const Vec3d& x, const Vec3d& direction, int apart_from, MeshWork& work);

/// Whether two triangles pass through each other. Touching, or lying in one plane, is not that.
bool triangles_cross(const MeshTriangle& s, const MeshTriangle& t);

}  // namespace silt

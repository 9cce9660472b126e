#pragma once

#include <vector>

#include "silt/core/vec.h"

namespace silt {

/// Triangles over shared vertices [m]. A triangle's corners run anticlockwise as seen from outside.
struct TriangleMesh {
  std::vector<Vec3d> vertices;
  std::vector<Int3> triangles;
};

}  // namespace silt

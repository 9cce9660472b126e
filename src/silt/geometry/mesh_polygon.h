#pragma once

#include <vector>

#include "silt/geometry/triangle_mesh.h"

namespace silt {

/// Adds a polygon as triangles that face as it does: ears are cut off all round it, again and again, so that triangles
/// stay as fat as may be. Needs three corners at least; they need not lie quite in a plane. Of one that crosses itself
/// the triangles cover more than it.
void add_polygon(TriangleMesh& mesh, const std::vector<int>& corners);

}  // namespace silt

#pragma once

#include "silt/geometry/mesh_surplus.h"

namespace silt {

/// A mesh without what says nothing: vertices that stand in one place are one vertex, triangles without an area and
/// copies of triangles are gone.
struct CleanMesh {
  TriangleMesh mesh;
  std::vector<int> source;  ///< which of the vertices it came from each one is
  int duplicate_vertices = 0;
  int degenerate_triangles = 0;
  int duplicate_triangles = 0;
};

/// Takes its surplus away. Two copies of a triangle that face opposite ways and close nothing (a wall between two
/// solids) go both.
CleanMesh clean_mesh(const TriangleMesh& mesh, const MeshSurplus& surplus);

}  // namespace silt

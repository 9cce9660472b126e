#pragma once

#include <string>

#include "silt/geometry/mesh_surplus.h"
#include "silt/geometry/triangle_mesh.h"

namespace silt {

/// What was found wrong with a mesh, and what could not be put right.
struct MeshReport {
  int duplicate_vertices = 0, degenerate_triangles = 0, duplicate_triangles = 0;  ///< gone now
  int flipped_triangles = 0;                                                      ///< turned round now
  int holes = 0, open_edges = 0;  ///< edges with a triangle on one side only, and how many rims they make
  double open_fraction = 0;       ///< area of the holes over that of the surface
  int self_intersections = 0;     ///< pairs of triangles that pass through each other; counted up to `most_counted`
  static constexpr int most_counted = 10000;
  int unjudged = 0;  ///< open patches that face as they came: there were too many on one another to look at all
  bool all_looked_at = true;  ///< for self-intersections; else there may be more
  int patches = 0;            ///< connected pieces
  bool closed = false;        ///< no hole, and neighbours agree
  bool simple = false;        ///< closed, and no part within another: the nearest triangle tells the side

  /// So large a part of it is missing that it has no inside: it is a sheet.
  bool sheet() const { return open_fraction > 0.1; }
  /// "2 holes (14 edges), 31 flipped faces"; empty when there is nothing to tell.
  std::string text() const;
};

struct RepairedMesh {
  TriangleMesh mesh;
  std::vector<int> source;  ///< which vertex of the given mesh each one is
  MeshReport report;
};

/// Cleans a mesh and turns its triangles so that they face outwards: neighbours are made to agree, then each connected
/// patch is turned by its volume (a patch that faces inwards inside of another one is a hollow, and stays) or, when it
/// is too open to have one, by rays. Throws an InputError when nothing is left.
RepairedMesh repair_mesh(const TriangleMesh& mesh);

/// The same of one instant of a mesh whose vertices move, all of whose instants the surplus has seen.
RepairedMesh repair_mesh(const TriangleMesh& mesh, const MeshSurplus& surplus);

}  // namespace silt

#pragma once

/// What tests ask of a mesh.

#include "silt/geometry/mesh_topology.h"

namespace silt {

/// Of what a closed mesh holds [m^3].
inline double enclosed_volume(const TriangleMesh& m) {
  double six = 0;
  for (const Int3& t : m.triangles) six += dot(m.vertices[t.x], cross(m.vertices[t.y], m.vertices[t.z]));
  return six / 6;
}

/// Whether every edge has as many triangles along it as against it.
inline bool is_closed(const TriangleMesh& m) {
  bool closed = !m.triangles.empty();
  for_each_edge(edge_sides(m), [&](const EdgeSide* begin, const EdgeSide* end) {
    int sum = 0;
    for (const EdgeSide* s = begin; s != end; ++s) sum += s->direction;
    closed = closed && sum == 0;
  });
  return closed;
}

}  // namespace silt

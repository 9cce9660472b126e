#include "silt/geometry/mesh_clean.h"

#include <algorithm>
#include <array>

#include "silt/geometry/mesh_topology.h"

namespace silt {
namespace {

void merge_vertices(const TriangleMesh& in, const MeshSurplus& surplus, CleanMesh& out) {
  std::vector<int> now(in.vertices.size(), -1);
  for (std::size_t v = 0; v < in.vertices.size(); ++v) {
    const int with = surplus.stands_with()[v];
    if (with < 0) continue;
    if (with < int(v)) {
      now[v] = now[with];
      ++out.duplicate_vertices;
    } else {
      now[v] = int(out.mesh.vertices.size());
      out.mesh.vertices.push_back(in.vertices[v]);
      out.source.push_back(int(v));
    }
  }
  for (std::size_t i = 0; i < in.triangles.size(); ++i) {
    const Int3& t = in.triangles[i];
    const Int3 merged{now[t.x], now[t.y], now[t.z]};
    const bool flat = surplus.flat(i) || merged.x == merged.y || merged.y == merged.z || merged.z == merged.x;
    if (!flat) out.mesh.triangles.push_back(merged);
    out.degenerate_triangles += flat;
  }
}

std::array<int, 3> corners(const Int3& t) {
  std::array<int, 3> out{t.x, t.y, t.z};
  std::sort(out.begin(), out.end());
  return out;
}

/// Whether the corners run as those of their sorted order do.
bool even(const Int3& t) {
  return (t.x < t.y) + (t.y < t.z) + (t.z < t.x) == 2;
}

void drop_copies(CleanMesh& out) {
  std::vector<Int3>& triangles = out.mesh.triangles;
  std::vector<int> by_corners(triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) by_corners[i] = int(i);
  std::sort(by_corners.begin(), by_corners.end(), [&](int a, int b) {
    const auto p = corners(triangles[a]), q = corners(triangles[b]);
    return p != q ? p < q : a < b;
  });
  // Groups of copies, and which triangles are in one.
  std::vector<std::pair<std::size_t, std::size_t>> groups;
  std::vector<char> copied(triangles.size(), 0);
  for (std::size_t i = 0, j; i < by_corners.size(); i = j) {
    for (j = i + 1; j < by_corners.size() && corners(triangles[by_corners[j]]) == corners(triangles[by_corners[i]]);)
      ++j;
    if (j - i < 2) continue;
    groups.emplace_back(i, j);
    for (std::size_t k = i; k < j; ++k) copied[by_corners[k]] = 1;
  }
  if (groups.empty()) return;
  // A triangle that another one, not a copy, joins across an edge closes something.
  std::vector<char> closes(triangles.size(), 0);
  for_each_edge(edge_sides(out.mesh), [&](const EdgeSide* first, const EdgeSide* end) {
    if (std::count_if(first, end, [&](const EdgeSide& s) { return !copied[s.triangle]; }) != 1) return;
    for (const EdgeSide* s = first; s != end; ++s) closes[s->triangle] = 1;
  });
  std::vector<char> dropped(triangles.size(), 0);
  for (const auto& [begin, end] : groups) {
    int ways[2] = {0, 0};
    for (std::size_t k = begin; k < end; ++k) ++ways[even(triangles[by_corners[k]])];
    const bool wall = ways[0] == ways[1] && !closes[by_corners[begin]];
    const bool way = ways[1] >= ways[0];  // the one that most of them face stays
    bool kept = wall;
    for (std::size_t k = begin; k < end; ++k) {
      const int t = by_corners[k];
      dropped[t] = kept || even(triangles[t]) != way;
      kept = kept || !dropped[t];
      out.duplicate_triangles += dropped[t];
    }
  }
  std::size_t left = 0;
  for (std::size_t i = 0; i < triangles.size(); ++i)
    if (!dropped[i]) triangles[left++] = triangles[i];
  triangles.resize(left);
}

}  // namespace

CleanMesh clean_mesh(const TriangleMesh& mesh, const MeshSurplus& surplus) {
  CleanMesh out;
  merge_vertices(mesh, surplus, out);
  drop_copies(out);
  return out;
}

}  // namespace silt

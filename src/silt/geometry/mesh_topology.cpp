#include "silt/geometry/mesh_topology.h"

#include <algorithm>

namespace silt {

std::vector<EdgeSide> edge_sides(const TriangleMesh& mesh) {
  std::vector<EdgeSide> out;
  out.reserve(mesh.triangles.size() * 3);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int c = 0; c < 3; ++c) {
      const int a = mesh.triangles[t][c], b = mesh.triangles[t][(c + 1) % 3];
      out.push_back({edge_key(a, b), int(t), a < b ? 1 : -1});
    }
  std::sort(out.begin(), out.end(), [](const EdgeSide& a, const EdgeSide& b) {
    return a.edge != b.edge ? a.edge < b.edge : a.triangle < b.triangle;
  });
  return out;
}

Patches orient_patches(TriangleMesh& mesh) {
  struct Neighbour {
    int triangle = -1;
    bool agrees = true;
  };
  const int n = int(mesh.triangles.size());
  std::vector<Neighbour> neighbours(3 * std::size_t(n));
  std::vector<int> known(n, 0);
  for_each_edge(edge_sides(mesh), [&](const EdgeSide* first, const EdgeSide* end) {
    if (end - first != 2 || first[0].triangle == first[1].triangle) return;
    const bool agrees = first[0].direction != first[1].direction;
    for (int i = 0; i < 2; ++i) {
      const int t = first[i].triangle;
      neighbours[3 * std::size_t(t) + known[t]++] = {first[1 - i].triangle, agrees};
    }
  });

  Patches out;
  out.of.assign(n, -1);
  std::vector<char> turned(n, 0);
  std::vector<int> patch;
  for (int start = 0; start < n; ++start) {
    if (out.of[start] >= 0) continue;
    patch.assign(1, start);
    out.of[start] = out.count;
    int turns = 0;
    for (std::size_t next = 0; next < patch.size(); ++next) {
      const int t = patch[next];
      turns += turned[t];
      for (int i = 0; i < known[t]; ++i) {
        const Neighbour& to = neighbours[3 * std::size_t(t) + i];
        if (out.of[to.triangle] >= 0) continue;
        out.of[to.triangle] = out.count;
        turned[to.triangle] = to.agrees ? turned[t] : !turned[t];
        patch.push_back(to.triangle);
      }
    }
    if (2 * std::size_t(turns) > patch.size())
      for (const int t : patch) turned[t] = !turned[t];
    ++out.count;
  }
  for (int t = 0; t < n; ++t)
    if (turned[t]) std::swap(mesh.triangles[t].y, mesh.triangles[t].z);
  return out;
}

}  // namespace silt

#pragma once

// Shared by this room's tests.

#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "silt/surface/sample_frames.h"

namespace silt::test {

/// Edges that do not have exactly two triangles, one in each direction.
inline int bad_edges(const Mesh& mesh) {
  std::map<std::pair<int, int>, std::pair<int, int>> uses;
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      auto& use = uses[{std::min(a, b), std::max(a, b)}];
      (a < b ? use.first : use.second) += 1;
    }
  int bad = 0;
  for (const auto& [edge, use] : uses) bad += use.first != 1 || use.second != 1;
  return bad;
}

/// V - E + F of a closed mesh.
inline long euler_characteristic(const Mesh& mesh) {
  return long(mesh.positions.size()) - long(mesh.triangles.size()) / 2;
}

inline int components(const Mesh& mesh) {
  std::vector<int> parent(mesh.positions.size());
  for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = int(i);
  const std::function<int(int)> root = [&](int i) {
    while (parent[std::size_t(i)] != i) i = parent[std::size_t(i)] = parent[std::size_t(parent[std::size_t(i)])];
    return i;
  };
  int count = int(parent.size());
  for (const Int3& t : mesh.triangles)
    for (int k = 0; k < 2; ++k) {
      const int a = root(t[k]), b = root(t[k + 1]);
      if (a != b) parent[std::size_t(a)] = b, --count;
    }
  return count;
}

}  // namespace silt::test

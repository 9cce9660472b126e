#pragma once

#include <cstdint>
#include <vector>

#include "silt/geometry/triangle_mesh.h"

namespace silt {

/// An edge's two vertices as one number, the smaller first.
inline std::uint64_t edge_key(int a, int b) {
  const std::uint64_t low = std::uint32_t(a < b ? a : b), high = std::uint32_t(a < b ? b : a);
  return low << 32 | high;
}

/// One side of a triangle on an edge.
struct EdgeSide {
  std::uint64_t edge;  ///< by edge_key
  int triangle;
  int direction;  ///< +1 when the triangle runs along it from the smaller vertex to the larger, else -1

  int low() const { return int(edge >> 32); }
  int high() const { return int(edge & 0xffffffffu); }
};

/// Every side of every triangle, sorted by edge: those of one edge stand together.
std::vector<EdgeSide> edge_sides(const TriangleMesh& mesh);

/// Calls `use(begin, end)` with the sides of each edge.
template <class F>
void for_each_edge(const std::vector<EdgeSide>& sides, const F& use) {
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t j = i;
    while (j < sides.size() && sides[j].edge == sides[i].edge) ++j;
    use(sides.data() + i, sides.data() + j);
    i = j;
  }
}

/// Sets that grow together.
class UnionFind {
 public:
  explicit UnionFind(std::size_t size) : parent_(size) {
    for (std::size_t i = 0; i < size; ++i) parent_[i] = int(i);
  }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) {
    a = find(a), b = find(b);
    if (a != b) parent_[a > b ? a : b] = a < b ? a : b;
  }

 private:
  std::vector<int> parent_;
};

/// Connected triangles: joined over edges that just two of them share.
struct Patches {
  std::vector<int> of;  ///< patch of each triangle
  int count = 0;
};

/// Turns triangles round so that neighbours in a patch agree; in each patch, as few as possible.
Patches orient_patches(TriangleMesh& mesh);

}  // namespace silt

#include "silt/surface/cube_table.h"

#include <algorithm>
#include <limits>

namespace silt {
namespace {

using Loop = std::vector<int>;  // of edges

/// The edge between two corners that differ in one bit.
int edge_between(int a, int b) {
  const int bit = a ^ b, axis = bit == 1 ? 0 : bit == 2 ? 1 : 2, lower = a & b;
  for (int e = 4 * axis; e < 4 * axis + 4; ++e)
    if (CubeTable::edge_corner[std::size_t(e)] == lower) return e;
  return -1;
}

/// Anticlockwise as seen from outside of the cube.
constexpr int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

bool on_one_face(int edge_a, int edge_b) {
  const auto corners = [](int e) {
    const int low = CubeTable::edge_corner[std::size_t(e)];
    return 1 << low | 1 << (low | 1 << e / 4);
  };
  const int both = corners(edge_a) | corners(edge_b);
  for (const auto& face : faces) {
    int on = 0;
    for (const int c : face) on |= 1 << c;
    if ((both & ~on) == 0) return true;
  }
  return false;
}

/// Round each face: where the walk enters the inside, a line of the surface runs to where it leaves again.
std::vector<Loop> loops_of(int inside) {
  int next[12];
  std::fill_n(next, 12, -1);
  const auto in = [&](int c) { return (inside >> c & 1) != 0; };
  for (const auto& face : faces)
    for (int i = 0; i < 4; ++i) {
      if (in(face[i]) || !in(face[(i + 1) % 4])) continue;
      int j = i + 1;
      while (in(face[(j + 1) % 4])) ++j;
      next[edge_between(face[i], face[(i + 1) % 4])] = edge_between(face[j % 4], face[(j + 1) % 4]);
    }
  std::vector<Loop> loops;
  for (int start = 0; start < 12; ++start) {
    if (next[start] < 0) continue;
    Loop& loop = loops.emplace_back();
    for (int e = start; next[e] >= 0;) {
      loop.push_back(e);
      const int then = next[e];
      next[e] = -1;
      e = then;
    }
  }
  return loops;
}

struct Filling {
  int on_faces = std::numeric_limits<int>::max();  ///< sides of its triangles that lie in a face of the cube
  std::vector<std::array<std::uint8_t, 3>> triangles;
};

/// The filling of loop[first] to loop[last] with the fewest sides in faces.
Filling fill(const Loop& loop, int first, int last) {
  if (last - first < 2) return {0, {}};
  const auto cost = [&](int a, int b) {
    const bool side = b - a == 1 || (a == 0 && b == int(loop.size()) - 1);
    return !side && on_one_face(loop[std::size_t(a)], loop[std::size_t(b)]) ? 1 : 0;
  };
  Filling best;
  for (int middle = first + 1; middle < last; ++middle) {
    Filling low = fill(loop, first, middle), high = fill(loop, middle, last);
    const int on_faces = low.on_faces + high.on_faces + cost(first, middle) + cost(middle, last);
    if (on_faces >= best.on_faces) continue;
    best.on_faces = on_faces;
    best.triangles = std::move(low.triangles);
    best.triangles.insert(best.triangles.end(), high.triangles.begin(), high.triangles.end());
    const auto edge = [&](int i) { return std::uint8_t(loop[std::size_t(i)]); };
    best.triangles.push_back({edge(first), edge(middle), edge(last)});
  }
  return best;
}

}  // namespace

CubeTable::CubeTable() {
  for (int inside = 0; inside < 256; ++inside)
    for (const Loop& loop : loops_of(inside)) {
      const Filling filling = fill(loop, 0, int(loop.size()) - 1);
      auto& list = triangles[std::size_t(inside)];
      list.insert(list.end(), filling.triangles.begin(), filling.triangles.end());
    }
}

const CubeTable& CubeTable::get() {
  static const CubeTable table;
  return table;
}

}  // namespace silt

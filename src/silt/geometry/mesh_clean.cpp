#include "silt/geometry/mesh_clean.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "silt/core/random.h"
#include "silt/geometry/mesh_topology.h"

namespace silt {
namespace {

constexpr double same_place = 1e-9;      // of the mesh's size
constexpr double flat_triangle = 1e-12;  // height over longest side

/// Finds vertices that stand close together, by a grid far coarser than that.
class VertexGrid {
 public:
  VertexGrid(const std::vector<Vec3d>& vertices, const Vec3d& lowest, double size)
      : vertices_(vertices), lowest_(lowest), near_(same_place * size), cell_(std::max(1e-5 * size, 1e-300)) {
    cells_.reserve(vertices.size());
  }

  /// An earlier vertex in the same place; or -1, and this one is known from now on.
  int find_or_add(int v) {
    const Vec3d& x = vertices_[v];
    const Vec3d low = x - Vec3d{near_, near_, near_}, high = x + Vec3d{near_, near_, near_};
    for (double i = at(low.x, 0); i <= at(high.x, 0); ++i)
      for (double j = at(low.y, 1); j <= at(high.y, 1); ++j)
        for (double k = at(low.z, 2); k <= at(high.z, 2); ++k)
          if (const auto cell = cells_.find(key(i, j, k)); cell != cells_.end())
            for (const int other : cell->second)
              if (length(vertices_[other] - x) <= near_) return other;
    cells_[key(at(x.x, 0), at(x.y, 1), at(x.z, 2))].push_back(v);
    return -1;
  }

 private:
  double at(double x, int axis) const { return std::floor((x - lowest_[axis]) / cell_); }
  static std::uint64_t key(double i, double j, double k) {
    return mix_bits(
        std::uint64_t(std::int64_t(i)) * 0x9e3779b97f4a7c15ull +
        mix_bits(std::uint64_t(std::int64_t(j)) * 0xbf58476d1ce4e5b9ull + mix_bits(std::uint64_t(std::int64_t(k)))));
  }

  const std::vector<Vec3d>& vertices_;
  Vec3d lowest_;
  double near_, cell_;
  std::unordered_map<std::uint64_t, std::vector<int>> cells_;
};

void merge_vertices(const TriangleMesh& in, CleanMesh& out) {
  std::vector<int> used(in.vertices.size(), 0);
  for (const Int3& t : in.triangles)
    for (int c = 0; c < 3; ++c) used[t[c]] = 1;
  Vec3d low{1e300, 1e300, 1e300}, high = -low;
  for (std::size_t v = 0; v < in.vertices.size(); ++v)
    if (used[v]) low = min(low, in.vertices[v]), high = max(high, in.vertices[v]);
  const Vec3d extent = high - low;
  VertexGrid grid(in.vertices, low, std::max({extent.x, extent.y, extent.z, 0.0}));
  std::vector<int> now(in.vertices.size(), -1);
  for (std::size_t v = 0; v < in.vertices.size(); ++v) {
    if (!used[v]) continue;
    if (const int same = grid.find_or_add(int(v)); same >= 0) {
      now[v] = now[same];
      ++out.duplicate_vertices;
    } else {
      now[v] = int(out.mesh.vertices.size());
      out.mesh.vertices.push_back(in.vertices[v]);
      out.source.push_back(int(v));
    }
  }
  for (const Int3& t : in.triangles) out.mesh.triangles.push_back({now[t.x], now[t.y], now[t.z]});
}

bool degenerate(const TriangleMesh& mesh, const Int3& t) {
  if (t.x == t.y || t.y == t.z || t.z == t.x) return true;
  const Vec3d a = mesh.vertices[t.x], ab = mesh.vertices[t.y] - a, ac = mesh.vertices[t.z] - a, bc = ac - ab;
  const double longest2 = std::max({dot(ab, ab), dot(ac, ac), dot(bc, bc)});
  return !(length(cross(ab, ac)) > flat_triangle * longest2);
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

CleanMesh clean_mesh(const TriangleMesh& mesh) {
  CleanMesh out;
  merge_vertices(mesh, out);
  std::vector<Int3>& triangles = out.mesh.triangles;
  const std::size_t before = triangles.size();
  triangles.erase(
      std::remove_if(triangles.begin(), triangles.end(), [&](const Int3& t) { return degenerate(out.mesh, t); }),
      triangles.end());
  out.degenerate_triangles = int(before - triangles.size());
  drop_copies(out);
  return out;
}

}  // namespace silt

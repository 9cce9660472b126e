#include "silt/geometry/mesh_surplus.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "silt/core/random.h"

namespace silt {
namespace {

constexpr double same_place = 1e-9, not_parted = 1e-6;  // of the mesh's size
constexpr double flat_triangle = 1e-12;                 // height over longest side

/// Finds vertices that stand close together, by a grid so fine that few which do not are in one cell: those are all
/// compared.
class VertexGrid {
 public:
  VertexGrid(const std::vector<Vec3d>& vertices, const Vec3d& lowest, double size, double near)
      : vertices_(vertices), lowest_(lowest), near_(near * size), cell_(std::max(8 * near_, 1e-300)) {}

  /// A vertex added before that is close to this one and of its group; or -1, and this one is added.
  int find_or_add(int v, int group) {
    const Vec3d& x = vertices_[v];
    const Vec3d low = x - Vec3d{near_, near_, near_}, high = x + Vec3d{near_, near_, near_};
    for (double i = at(low.x, 0); i <= at(high.x, 0); ++i)
      for (double j = at(low.y, 1); j <= at(high.y, 1); ++j)
        for (double k = at(low.z, 2); k <= at(high.z, 2); ++k)
          if (const auto cell = cells_.find(key(i, j, k, group)); cell != cells_.end())
            for (const int other : cell->second)
              if (length(vertices_[other] - x) <= near_) return other;
    cells_[key(at(x.x, 0), at(x.y, 1), at(x.z, 2), group)].push_back(v);
    return -1;
  }

 private:
  double at(double x, int axis) const { return std::floor((x - lowest_[axis]) / cell_); }
  struct Key {
    std::int64_t i, j, k, group;
    friend bool operator==(const Key&, const Key&) = default;
  };
  static Key key(double i, double j, double k, int group) {
    return {std::int64_t(i), std::int64_t(j), std::int64_t(k), group};
  }
  struct Hash {
    std::size_t operator()(const Key& at) const {
      return random_bits(std::uint64_t(at.i), std::uint64_t(at.j),
                         std::uint64_t(at.k) ^ mix_bits(std::uint64_t(at.group)));
    }
  };

  const std::vector<Vec3d>& vertices_;
  Vec3d lowest_;
  double near_, cell_;
  std::unordered_map<Key, std::vector<int>, Hash> cells_;
};

bool has_area(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d ab = b - a, ac = c - a, bc = c - b;
  const double longest2 = std::max({dot(ab, ab), dot(ac, ac), dot(bc, bc)});
  return length(cross(ab, ac)) > flat_triangle * longest2;
}

}  // namespace

MeshSurplus::MeshSurplus(const TriangleMesh& first)
    : triangles_(first.triangles), stands_with_(first.vertices.size(), -1), had_area_(first.triangles.size(), 0) {
  for (const Int3& t : triangles_)
    for (int c = 0; c < 3; ++c) stands_with_[t[c]] = triangles_[0].x;  // until seen, all together
  part(first.vertices, same_place);
  look_for_areas(first.vertices);
}

void MeshSurplus::see(const std::vector<Vec3d>& vertices) {
  part(vertices, not_parted);
  look_for_areas(vertices);
}

/// Of vertices that stood together till now, those stay so that are near each other.
void MeshSurplus::part(const std::vector<Vec3d>& vertices, double near) {
  Vec3d low{1e300, 1e300, 1e300}, high = -low;
  std::vector<int> together(vertices.size(), 0);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (stands_with_[v] < 0) continue;
    low = min(low, vertices[v]), high = max(high, vertices[v]);
    ++together[stands_with_[v]];
  }
  const Vec3d extent = high - low;
  VertexGrid grid(vertices, low, std::max({extent.x, extent.y, extent.z, 0.0}), near);
  const std::vector<int> before = stands_with_;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (before[v] < 0 || together[before[v]] == 1) continue;
    const int other = grid.find_or_add(int(v), before[v]);
    stands_with_[v] = other < 0 ? int(v) : other;
  }
}

void MeshSurplus::look_for_areas(const std::vector<Vec3d>& vertices) {
  flat_now_ = 0;
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    const Int3& t = triangles_[i];
    const bool area = has_area(vertices[t.x], vertices[t.y], vertices[t.z]);
    had_area_[i] = had_area_[i] || area;
    flat_now_ += !area;
  }
}

}  // namespace silt

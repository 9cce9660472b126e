#include "silt/geometry/mesh_polygon.h"

#include <algorithm>
#include <cmath>

namespace silt {
namespace {

struct Point {
  double x, y;
  friend bool operator==(const Point&, const Point&) = default;
};

/// Twice the area of a triangle, positive when it runs anticlockwise.
double area2(const Point& a, const Point& b, const Point& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Newell's: the sum over the edges, whatever the form.
Vec3d normal_of(const TriangleMesh& mesh, const std::vector<int>& corners) {
  const Vec3d& first = mesh.vertices[corners[0]];
  Vec3d out{};
  for (std::size_t i = 0; i + 1 < corners.size(); ++i)
    out += cross(mesh.vertices[corners[i]] - first, mesh.vertices[corners[i + 1]] - first);
  return out;
}

class EarCutter {
 public:
  EarCutter(TriangleMesh& mesh, const std::vector<int>& corners) : mesh_(mesh), left_(int(corners.size())) {
    // Seen along the axis that its normal has most of, from the side from which it runs anticlockwise.
    const Vec3d n = normal_of(mesh, corners), size{std::abs(n.x), std::abs(n.y), std::abs(n.z)};
    const int along = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const int x = (along + (n[along] < 0 ? 2 : 1)) % 3, y = (along + (n[along] < 0 ? 1 : 2)) % 3;
    ring_.reserve(corners.size());
    for (int i = 0; i < left_; ++i) {
      const Vec3d& v = mesh.vertices[corners[i]];
      ring_.push_back({{v[x], v[y]}, corners[i], (i + left_ - 1) % left_, (i + 1) % left_});
    }
    if (left_ > fewest_gridded) make_grid();
  }

  void run() {
    int at = 0;
    for (bool cut = true; cut && left_ > 3;) {
      cut = false;
      for (int looks = left_; looks > 0 && left_ > 3; --looks) {
        const int next = ring_[at].after;
        if (is_ear(at)) {
          cut_off(at);
          cut = true;
          at = ring_[next].after;  // every other one, or a few corners would get all the triangles
        } else {
          at = next;
        }
      }
    }
    // A triangle; or what crosses itself, or has no area: any triangles will do.
    for (int b = ring_[at].after; left_ > 2; --left_, b = ring_[b].after) add(at, b, ring_[b].after);
  }

 private:
  struct Corner {
    Point at;
    int vertex;         ///< of the mesh
    int before, after;  ///< in the ring of what is left
  };
  static constexpr int fewest_gridded = 32;

  void add(int a, int b, int c) { mesh_.triangles.push_back({ring_[a].vertex, ring_[b].vertex, ring_[c].vertex}); }

  void cut_off(int i) {
    const Corner& c = ring_[i];
    add(c.before, i, c.after);
    ring_[c.before].after = c.after;
    ring_[c.after].before = c.before;
    --left_;
  }

  bool convex(int i) const {
    const Corner& c = ring_[i];
    return area2(ring_[c.before].at, c.at, ring_[c.after].at) > 0;
  }

  /// Convex, and with no other corner in it. Only corners that are not convex can be the first to come in.
  bool is_ear(int i) const {
    if (!convex(i)) return false;
    const Corner& corner = ring_[i];
    const Point &a = ring_[corner.before].at, &b = corner.at, &c = ring_[corner.after].at;
    const auto blocks = [&](int j) {
      const Point& p = ring_[j].at;
      if (j == corner.before || j == i || j == corner.after || p == a || p == c) return false;
      return area2(a, b, p) >= 0 && area2(b, c, p) >= 0 && area2(c, a, p) >= 0 && !convex(j);
    };
    if (cell_start_.empty()) {
      for (int j = ring_[corner.after].after; j != corner.before; j = ring_[j].after)
        if (blocks(j)) return false;
      return true;
    }
    const int i0 = column(std::min({a.x, b.x, c.x})), i1 = column(std::max({a.x, b.x, c.x}));
    const int j0 = row(std::min({a.y, b.y, c.y})), j1 = row(std::max({a.y, b.y, c.y}));
    for (int y = j0; y <= j1; ++y)
      for (int k = cell_start_[y * side_ + i0]; k < cell_start_[y * side_ + i1 + 1]; ++k)
        if (blocks(dents_[k])) return false;
    return true;
  }

  /// Puts the corners that are not convex into square cells, about one each. What is cut off makes others convex, never
  /// the other way.
  void make_grid() {
    std::vector<int> dents;
    for (int i = 0; i < left_; ++i)
      if (!convex(i)) dents.push_back(i);
    low_ = ring_[0].at;
    Point high = low_;
    for (const Corner& c : ring_) {
      low_ = {std::min(low_.x, c.at.x), std::min(low_.y, c.at.y)};
      high = {std::max(high.x, c.at.x), std::max(high.y, c.at.y)};
    }
    side_ = std::max(1, int(std::sqrt(double(dents.size()))));
    const auto per = [&](double range) { return range > 0 ? std::min(side_ / range, 1e300) : 0; };
    per_ = {per(high.x - low_.x), per(high.y - low_.y)};
    const auto cell = [&](int i) { return row(ring_[i].at.y) * side_ + column(ring_[i].at.x); };
    cell_start_.assign(std::size_t(side_) * side_ + 1, 0);
    for (const int i : dents) ++cell_start_[cell(i) + 1];
    for (std::size_t c = 1; c < cell_start_.size(); ++c) cell_start_[c] += cell_start_[c - 1];
    dents_.resize(dents.size());
    std::vector<int> next = cell_start_;
    for (const int i : dents) dents_[next[cell(i)]++] = i;
  }
  int column(double x) const { return std::clamp(int((x - low_.x) * per_.x), 0, side_ - 1); }
  int row(double y) const { return std::clamp(int((y - low_.y) * per_.y), 0, side_ - 1); }

  TriangleMesh& mesh_;
  int left_;
  std::vector<Corner> ring_;
  // The grid, of polygons with many corners.
  std::vector<int> cell_start_, dents_;
  Point low_{}, per_{};
  int side_ = 0;
};

}  // namespace

void add_polygon(TriangleMesh& mesh, const std::vector<int>& corners) {
  EarCutter(mesh, corners).run();
}

}  // namespace silt

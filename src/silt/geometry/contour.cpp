#include "silt/geometry/contour.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "silt/core/mat3.h"

namespace silt {
namespace {

/// Both below 2^20 of a lattice of cubes.
std::uint64_t key(const Int3& c) {
  return (std::uint64_t(c.z) << 40) | (std::uint64_t(c.y) << 20) | std::uint64_t(c.x);
}

Vec3d solve_symmetric(const Mat3d& a, const Vec3d& b) {
  const Vec3d u = cross(a.y, a.z), v = cross(a.z, a.x), w = cross(a.x, a.y);
  return (u * b.x + v * b.y + w * b.z) / dot(a.x, u);
}

/// Tangent planes of crossings, and the point nearest to all of them.
class Planes {
 public:
  void add(const Vec3d& at, const Vec3d& normal) {
    middle_ += at;
    at_[count_] = at, normal_[count_] = normal;
    ++count_;
  }

  /// min_x sum_i (n_i . (x - x_i))^2 + pull |x - middle|^2: on a flat part the middle of the crossings, on an edge the
  /// point of the edge nearest to it [JLSW02, 2.3].
  Vec3d meet() const {
    constexpr double pull = 1e-3;
    const Vec3d middle = middle_ / double(count_);
    Mat3d a{{pull, 0, 0}, {0, pull, 0}, {0, 0, pull}};
    Vec3d b{};
    for (int i = 0; i < count_; ++i) {
      const Vec3d& n = normal_[i];
      a.x += n * n.x, a.y += n * n.y, a.z += n * n.z;
      b += n * dot(n, at_[i] - middle);
    }
    return middle + solve_symmetric(a, b);
  }

 private:
  static constexpr int most = 12;  // edges of a cube
  Vec3d middle_{}, at_[most], normal_[most];
  int count_ = 0;
};

class Contour {
 public:
  Contour(const Shape& shape, const Shape::Bounds& box, double cell)
      : shape_(shape.view()), lowest_(box.lowest), cell_(cell) {
    for (int a = 0; a < 3; ++a) cubes_[a] = std::max(1, int(std::ceil((box.highest[a] - box.lowest[a]) / cell - 1e-9)));
    const int longest = std::max({cubes_.x, cubes_.y, cubes_.z});
    descend({0, 0, 0}, int(std::bit_ceil(unsigned(longest))));
    for (const Int3& c : passed_) place_vertex(c);
    for (const Int3& c : passed_) join(c);
  }
  TriangleMesh mesh;

 private:
  Vec3d corner(const Int3& c) const { return lowest_ + c.as<double>() * cell_; }

  /// Finds the cubes that may hold a part of the surface. Distances are never too long.
  void descend(const Int3& c, int size) {
    if (c.x >= cubes_.x || c.y >= cubes_.y || c.z >= cubes_.z) return;
    const Vec3d middle = corner(c) + Vec3d{0.5, 0.5, 0.5} * (size * cell_);
    if (std::abs(shape_.distance(middle)) > 0.8661 * size * cell_) return;  // half a cube's diagonal
    if (size == 1) {
      passed_.push_back(c);
      return;
    }
    const int half = size / 2;
    for (int i = 0; i < 8; ++i) descend(c + Int3{i & 1 ? half : 0, i & 2 ? half : 0, i & 4 ? half : 0}, half);
  }

  bool inside(const Int3& c) {
    const auto [at, fresh] = inside_.try_emplace(key(c), false);
    if (fresh) at->second = shape_.distance(corner(c)) < 0;
    return at->second;
  }

  struct Crossing {
    Vec3d at, normal;
  };

  /// Where the surface crosses the edge of a cube that goes from a corner along an axis.
  const Crossing& crossing(const Int3& from, int axis) {
    const auto [found, fresh] = crossings_[axis].try_emplace(key(from));
    if (fresh) {
      Int3 to = from;
      to[axis] += 1;
      const Vec3d x = surface_between(corner(from), corner(to));
      found->second = {x, normal(x)};
    }
    return found->second;
  }

  /// By false position, where the end that stays has its distance halved [the Illinois rule]: distances are nearly
  /// straight lines, but for edges in between.
  Vec3d surface_between(Vec3d a, Vec3d b) const {
    double da = shape_.distance(a), db = shape_.distance(b);
    for (int i = 0; i < 40; ++i) {
      const Vec3d x = a + (b - a) * (da / (da - db));
      const double d = shape_.distance(x);
      if (std::abs(d) < 1e-9 * cell_) return x;
      if ((d < 0) == (db < 0))
        da *= 0.5;
      else
        a = b, da = db;
      b = x, db = d;
    }
    return b;
  }

  Vec3d normal(const Vec3d& x) const {
    const double d = 1e-4 * cell_;
    Vec3d g;
    for (int a = 0; a < 3; ++a) {
      Vec3d step{};
      step[a] = d;
      g[a] = shape_.distance(x + step) - shape_.distance(x - step);
    }
    return length(g) > 0 ? normalized(g) : g;
  }

  void place_vertex(const Int3& c) {
    Planes planes;
    bool any = false;
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < 4; ++i) {
        Int3 from = c, along{};
        from[(axis + 1) % 3] += i & 1, from[(axis + 2) % 3] += i >> 1;
        along[axis] = 1;
        if (inside(from) == inside(from + along)) continue;
        const Crossing& where = crossing(from, axis);
        planes.add(where.at, where.normal);
        any = true;
      }
    if (!any) return;
    vertex_[key(c)] = int(mesh.vertices.size());
    mesh.vertices.push_back(max(corner(c), min(planes.meet(), corner(c + Int3{1, 1, 1}))));
  }

  /// Every edge that the surface crosses joins the vertices of the four cubes round it; this cube sees to those that
  /// end in its lowest corner.
  void join(const Int3& c) {
    for (int axis = 0; axis < 3; ++axis) {
      Int3 along{}, u{}, v{};
      along[axis] = 1, u[(axis + 1) % 3] = 1, v[(axis + 2) % 3] = 1;
      const bool in = inside(c);
      if (in == inside(c + along)) continue;
      if (const Int3 first = c - u - v; first.x < 0 || first.y < 0 || first.z < 0) continue;  // at the box's end
      int round[4], found = 0;
      for (const Int3& at : {c - u - v, c - v, c, c - u})
        if (const auto here = vertex_.find(key(at)); here != vertex_.end()) round[found++] = here->second;
      if (found < 4) continue;
      if (!in) std::swap(round[1], round[3]);
      add_square(round);
    }
  }

  /// Two triangles, split along the shorter diagonal.
  void add_square(const int (&q)[4]) {
    const auto apart = [&](int a, int b) { return length(mesh.vertices[q[a]] - mesh.vertices[q[b]]); };
    if (apart(0, 2) <= apart(1, 3)) {
      mesh.triangles.push_back({q[0], q[1], q[2]}), mesh.triangles.push_back({q[0], q[2], q[3]});
    } else {
      mesh.triangles.push_back({q[0], q[1], q[3]}), mesh.triangles.push_back({q[1], q[2], q[3]});
    }
  }

  ShapeView shape_;
  Vec3d lowest_;
  double cell_;
  Int3 cubes_;
  std::vector<Int3> passed_;
  std::unordered_map<std::uint64_t, bool> inside_;
  std::unordered_map<std::uint64_t, int> vertex_;
  std::unordered_map<std::uint64_t, Crossing> crossings_[3];
};

}  // namespace

TriangleMesh contour(const Shape& shape, const Shape::Bounds& box, double cell) {
  // Half a cube of room, so that a side of the shape lies between corners.
  const Vec3d room = Vec3d{0.5, 0.5, 0.5} * cell;
  return Contour(shape, {box.lowest - room, box.highest + room}, cell).mesh;
}

}  // namespace silt

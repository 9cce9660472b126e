#include "silt/geometry/shape_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "silt/geometry/contour.h"

namespace silt {
namespace {

using Op = ShapeNode::Op;

constexpr int around = 96;         ///< sides of what is round
constexpr int cubes_across = 128;  ///< of what is contoured
constexpr int most_cubes_across = 512;
constexpr double endless = 1e29;  ///< [m]
constexpr double pi = 3.14159265358979323846;

/// A point of a profile that turns about z.
struct Profile {
  double r, z;
};

/// The surface of a profile that turns about z, seen from outside where it goes up. A profile that does not begin and
/// end on the axis is a closed curve.
TriangleMesh revolve(const std::vector<Profile>& profile) {
  const bool curve = profile.front().r > 0;
  TriangleMesh m;
  std::vector<int> first;  // of a ring of vertices
  for (const Profile& p : profile) {
    first.push_back(int(m.vertices.size()));
    for (int i = 0; i < (p.r > 0 ? around : 1); ++i)
      m.vertices.push_back({p.r * std::cos(2 * pi * i / around), p.r * std::sin(2 * pi * i / around), p.z});
  }
  const auto vertex = [&](std::size_t ring, int i) { return first[ring] + (profile[ring].r > 0 ? i % around : 0); };
  for (std::size_t j = 0; j + (curve ? 0 : 1) < profile.size(); ++j) {
    const std::size_t up = (j + 1) % profile.size();
    for (int i = 0; i < around; ++i) {
      const int a = vertex(j, i), b = vertex(j, i + 1), c = vertex(up, i + 1), d = vertex(up, i);
      if (a != b) m.triangles.push_back({a, b, c});
      if (c != d) m.triangles.push_back({a, c, d});
    }
  }
  return m;
}

/// An arc about (0, z) or, of a tube, (r, 0): from one angle to another [rad], seen from the r axis.
void add_arc(std::vector<Profile>& out, const Profile& centre, double radius, double from, double to, int parts) {
  for (int i = 0; i <= parts; ++i) {
    const double angle = from + (to - from) * i / parts;
    out.push_back({centre.r + radius * std::cos(angle), centre.z + radius * std::sin(angle)});
  }
}

/// Half a ball's profile ends on the axis, not beside it.
void end_on_axis(std::vector<Profile>& profile) {
  profile.front().r = profile.back().r = 0;
}

TriangleMesh box_mesh_of(const Vec3d& lowest, const Vec3d& highest) {
  TriangleMesh m;
  for (int i = 0; i < 8; ++i)
    m.vertices.push_back({i & 1 ? highest.x : lowest.x, i & 2 ? highest.y : lowest.y, i & 4 ? highest.z : lowest.z});
  for (const std::array<int, 4>& q :
       {std::array{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}})
    m.triangles.push_back({q[0], q[1], q[2]}), m.triangles.push_back({q[0], q[2], q[3]});
  return m;
}

/// In its own frame.
TriangleMesh primitive_mesh(const ShapeNode& n, const MeshData* mesh) {
  std::vector<Profile> profile;
  switch (n.op) {
    case Op::box:
      return box_mesh_of(n.a, n.b);
    case Op::mesh:
      return mesh->triangles();
    case Op::sphere:
      add_arc(profile, {0, 0}, n.r, -pi / 2, pi / 2, around / 2);
      break;
    case Op::capsule:
      add_arc(profile, {0, 0}, n.r, -pi / 2, 0, around / 4);
      add_arc(profile, {0, n.height}, n.r, 0, pi / 2, around / 4);
      break;
    case Op::torus:
      add_arc(profile, {n.r, 0}, n.r2, -pi, pi, around);
      profile.pop_back();
      return revolve(profile);
    default: {  // cylinder and cone
      const double end = n.op == Op::cone ? n.r2 : n.r;
      profile = {{0, 0}, {n.r, 0}, {end, n.height}, {0, n.height}};
      if (end == 0) profile.pop_back();
      if (n.r == 0) profile.erase(profile.begin());
    }
  }
  end_on_axis(profile);
  return revolve(profile);
}

bool is_endless(const Shape::Bounds& b) {
  for (int a = 0; a < 3; ++a)
    if (b.lowest[a] < -endless || b.highest[a] > endless) return true;
  return false;
}

TriangleMesh part_mesh(const Shape& part, const Shape::Bounds& within, double finest) {
  const Shape::Bounds bounds = part.bounds();
  if (is_endless(bounds))
    return mesh_of(Shape::intersect(part, Shape::box(within.lowest, within.highest)), within, finest);
  if (part.nodes().size() > 1) {
    const Vec3d size = bounds.highest - bounds.lowest;
    const double longest = std::max({size.x, size.y, size.z});
    const double cube = std::clamp(finest, longest / most_cubes_across, longest / cubes_across);
    return longest > 0 ? contour(part, bounds, cube) : TriangleMesh{};
  }
  const ShapeNode& n = part.nodes().front();
  TriangleMesh m = primitive_mesh(n, part.meshes().empty() ? nullptr : part.meshes().front().data.get());
  for (Vec3d& v : m.vertices) v = transpose(n.turn) * (v * n.scale) + n.place;
  return m;
}

}  // namespace

TriangleMesh mesh_of(const Shape& shape, const Shape::Bounds& within, double finest) {
  TriangleMesh out;
  for (const Shape& part : shape.united_parts()) {
    const TriangleMesh m = part_mesh(part, within, finest);
    const int first = int(out.vertices.size());
    out.vertices.insert(out.vertices.end(), m.vertices.begin(), m.vertices.end());
    for (const Int3& t : m.triangles) out.triangles.push_back(t + Int3{first, first, first});
  }
  return out;
}

}  // namespace silt

#include "silt/fields/solid_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "silt/geometry/shape_mesh.h"

namespace silt {
namespace {

const double least_cosine = std::cos(40 * 3.14159265358979323846 / 180);  ///< between sides of one smooth surface

/// Which triangles have a vertex, vertex by vertex.
struct Fans {
  std::vector<int> first, triangle;

  explicit Fans(const TriangleMesh& m) : first(m.vertices.size() + 1), triangle(3 * m.triangles.size()) {
    for (const Int3& t : m.triangles)
      for (int c = 0; c < 3; ++c) ++first[t[c] + 1];
    for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
    std::vector<int> next(first.begin(), first.end() - 1);
    for (std::size_t t = 0; t < m.triangles.size(); ++t)
      for (int c = 0; c < 3; ++c) triangle[next[m.triangles[t][c]]++] = int(t);
  }
};

double angle_at(const TriangleMesh& m, const Int3& t, int vertex) {
  const int at = t.x == vertex ? 0 : t.y == vertex ? 1 : 2;
  const Vec3d a = m.vertices[t[at]], u = m.vertices[t[(at + 1) % 3]] - a, v = m.vertices[t[(at + 2) % 3]] - a;
  return std::atan2(length(cross(u, v)), dot(u, v));
}

/// A corner of the mesh for each smooth surface that ends in a vertex: its normal is that of the triangles round it
/// that belong to that surface, by their angles there.
Mesh with_normals(const TriangleMesh& m) {
  std::vector<Vec3d> sides;
  for (const Int3& t : m.triangles) {
    const Vec3d n = cross(m.vertices[t.y] - m.vertices[t.x], m.vertices[t.z] - m.vertices[t.x]);
    sides.push_back(length(n) > 0 ? normalized(n) : n);
  }
  const Fans fans(m);
  Mesh out;
  out.triangles = m.triangles;
  for (int v = 0; v < int(m.vertices.size()); ++v) {
    const int *begin = fans.triangle.data() + fans.first[v], *end = fans.triangle.data() + fans.first[v + 1];
    const std::size_t first = out.positions.size();
    for (const int* t = begin; t != end; ++t) {
      Vec3d sum{};
      for (const int* other = begin; other != end; ++other)
        if (dot(sides[*t], sides[*other]) > least_cosine) sum += sides[*other] * angle_at(m, m.triangles[*other], v);
      const Vec3f normal = (length(sum) > 0 ? normalized(sum) : Vec3d{0, 0, 1}).as<float>();
      std::size_t corner = first;
      while (corner < out.normals.size() && length(out.normals[corner] - normal) > 1e-5f) ++corner;
      if (corner == out.normals.size())
        out.positions.push_back(m.vertices[v].as<float>()), out.normals.push_back(normal);
      Int3& triangle = out.triangles[*t];
      for (int c = 0; c < 3; ++c)
        if (m.triangles[*t][c] == v) triangle[c] = int(corner);
    }
  }
  return out;
}

}  // namespace

Mesh solid_mesh(const Shape& shape, const Domain& domain) {
  const Vec3d room = (domain.upper() - domain.lower()) * 0.02;
  Mesh out = with_normals(mesh_of(shape, {domain.lower() - room, domain.upper() + room}, 0.5 * domain.lattice.h));
  out.material = "solid", out.name = "shape";
  if (!shape.deforms()) return out;
  const ShapeView view = shape.view();
  for (const Vec3f& x : out.positions) out.velocities.push_back(view.sample(x.as<double>()).velocity.as<float>());
  return out;
}

}  // namespace silt

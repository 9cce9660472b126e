#include "silt/geometry/mesh_rays.h"

#include <algorithm>
#include <limits>

namespace silt {
namespace {

/// Six times the volume of a tetrahedron; its sign says on which side of abc d lies.
double volume6(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
  return dot(cross(b - a, c - a), d - a);
}

/// Whether the segment pq passes through the inside of triangle abc.
bool passes(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const double sp = volume6(a, b, c, p), sq = volume6(a, b, c, q);
  if (!(sp * sq < 0)) return false;
  const double u = volume6(p, q, a, b), v = volume6(p, q, b, c), w = volume6(p, q, c, a);
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

/// Whether a ray meets a box.
bool meets(const MeshBox& n, const Vec3d& x, const Vec3d& inverse) {
  double enter = 0, leave = std::numeric_limits<double>::infinity();
  for (int a = 0; a < 3; ++a) {
    const double s = (n.lowest[a] - x[a]) * inverse[a], t = (n.highest[a] - x[a]) * inverse[a];
    enter = std::max(enter, std::min(s, t));
    leave = std::min(leave, std::max(s, t));
  }
  return enter <= leave;
}

bool hits(const MeshTriangle& t, const Vec3d& x, const Vec3d& direction) {
  const Vec3d p = cross(direction, t.ac);
  const double det = dot(t.ab, p);
  if (det == 0) return false;
  const Vec3d s = x - t.a, q = cross(s, t.ab);
  const double u = dot(s, p) / det, v = dot(direction, q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && dot(t.ac, q) / det > 0;
}

}  // namespace

int crossings(const MeshData& mesh, const Vec3d& x, const Vec3d& direction, int apart_from, MeshWork& work) {
  const MeshView view = mesh.view(Exec(Device::cpu, 1));
  const Vec3d inverse{1 / direction.x, 1 / direction.y, 1 / direction.z};
  int count = 0, top = 0;
  int stack[MeshView::deepest];
  stack[top++] = 0;
  while (top > 0 && !work.over()) {
    const int i = stack[--top];
    const MeshCluster& n = view.clusters[i];
    work.left -= 1 + n.count;
    if (!meets(mesh.box(i), x, inverse)) continue;
    if (n.count == 0) {
      stack[top++] = n.first;
      stack[top++] = i + 1;
    }
    for (int t = n.first; t < n.first + n.count; ++t) count += t != apart_from && hits(view.triangles[t], x, direction);
  }
  return count;
}

bool triangles_cross(const MeshTriangle& s, const MeshTriangle& t) {
  const Vec3d p[3] = {s.a, s.a + s.ab, s.a + s.ac}, q[3] = {t.a, t.a + t.ab, t.a + t.ac};
  for (int e = 0; e < 3; ++e)
    if (passes(p[e], p[(e + 1) % 3], q[0], q[1], q[2]) || passes(q[e], q[(e + 1) % 3], p[0], p[1], p[2])) return true;
  return false;
}

}  // namespace silt

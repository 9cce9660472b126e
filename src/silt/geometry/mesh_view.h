#pragma once

#include <cmath>

#include "silt/core/vec.h"

namespace silt {

inline constexpr int mesh_lanes = 8;  ///< boxes, or triangles, that are looked at together

/// Eight boxes of a tree over triangles, number by number, so that one instruction serves all. They are turned to lie
/// along their triangles: seen from anywhere, only boxes near the nearest point then come near it. (Boxes along the
/// axes are thick where the surface is slanted: from thirty cells away, hundreds of them would have to be opened.)
struct MeshBoxes {
  float centre[3][mesh_lanes];   ///< from the mesh's origin [m]
  float half[3][mesh_lanes];     ///< extents, rounded outwards; below zero without end where there is no box [m]
  float axes[3][3][mesh_lanes];  ///< unit vectors; the last is across the surface
  int child[mesh_lanes];         ///< another node, or ~(a group of triangles)

  /// Squared distances from p.
  SILT_HD_INLINE void distance2(const Vec3f& p, float (&out)[mesh_lanes]) const {
    for (int l = 0; l < mesh_lanes; ++l) {
      const float x = p.x - centre[0][l], y = p.y - centre[1][l], z = p.z - centre[2][l];
      const float a = std::fabs(x * axes[0][0][l] + y * axes[0][1][l] + z * axes[0][2][l]) - half[0][l];
      const float b = std::fabs(x * axes[1][0][l] + y * axes[1][1][l] + z * axes[1][2][l]) - half[1][l];
      const float c = std::fabs(x * axes[2][0][l] + y * axes[2][1][l] + z * axes[2][2][l]) - half[2][l];
      const float ao = a > 0 ? a : 0, bo = b > 0 ? b : 0, co = c > 0 ? c : 0;
      out[l] = ao * ao + bo * bo + co * co;
    }
  }
};

/// Eight triangles, each in a frame of its own, for a first look that is good to rounding. Its longest edge runs from
/// the origin to (b, 0), its third corner is (c, height): of a needle too, whatever its edges' products would lose of
/// its height by rounding.
struct MeshGroup {
  float a[3][mesh_lanes];                                  ///< the origin, from the mesh's [m]
  float axes[3][3][mesh_lanes];                            ///< unit vectors; the last is across the triangle
  float b[mesh_lanes], c[mesh_lanes], height[mesh_lanes];  ///< [m]
  float inv_ac[mesh_lanes], inv_bc[mesh_lanes];            ///< over squared lengths of the other edges [1/m^2]

  /// Squared distances from p: to the plane above the inside, else to the nearest edge.
  SILT_HD_INLINE void distance2(const Vec3f& p, float (&out)[mesh_lanes]) const {
    for (int l = 0; l < mesh_lanes; ++l) {
      const float x = p.x - a[0][l], y = p.y - a[1][l], z = p.z - a[2][l];
      const float u = x * axes[0][0][l] + y * axes[0][1][l] + z * axes[0][2][l];
      const float v = x * axes[1][0][l] + y * axes[1][1][l] + z * axes[1][2][l];
      const float up = x * axes[2][0][l] + y * axes[2][1][l] + z * axes[2][2][l];
      const float cu = c[l], cv = height[l], ub = u - b[l], eu = cu - b[l];
      const float s = clamp_unit((u * cu + v * cv) * inv_ac[l]), t = clamp_unit((ub * eu + v * cv) * inv_bc[l]);
      const float beyond = u < 0 ? u : ub > 0 ? ub : 0;
      const float on_ab = square(beyond) + square(v);
      const float on_ac = square(u - s * cu) + square(v - s * cv);
      const float on_bc = square(ub - t * eu) + square(v - t * cv);
      const float edge = on_ab < on_ac ? on_ab : on_ac, nearest = edge < on_bc ? edge : on_bc;
      const bool above = (v > 0) & (cv * u > cu * v) & (eu * v > cv * ub);
      out[l] = square(up) + (above ? 0 : nearest);
    }
  }

 private:
  SILT_HD_INLINE static float square(float x) { return x * x; }
  SILT_HD_INLINE static float clamp_unit(float x) {
    const float low = x > 0 ? x : 0;
    return low < 1 ? low : 1;
  }
};

/// A node of a tree of twos, and what its triangles look like from afar: the first two terms of their solid angle,
/// after [BDS18] Barill et al. 2018, Fast winding numbers for soups and clouds. Its children are the next one, and
/// `first`.
struct MeshCluster {
  Vec3d centre{};      ///< of area [m]
  double radius2 = 0;  ///< of a ball round it that holds the triangles, squared [m^2]
  Vec3d area{};        ///< sum of area vectors [m^2]
  Vec3d tilt[3]{};     ///< rows of the sum of area (x) (middle - centre) [m^3]
  int first = 0;       ///< of a leaf: its first triangle; else: the second child
  int count = 0;       ///< of a leaf: how many triangles; else 0
};

/// A corner and the two edges from it.
struct MeshTriangle {
  Vec3d a, ab, ac;
};

/// Which part of a triangle is nearest to a point.
enum class TrianglePart : int { a, b, c, ab, bc, ca, face };

struct NearestOnTriangle {
  double distance2;
  double v, w;  ///< the point is a + v ab + w ac
  TrianglePart part;
};

/// How far along an edge, or a corner's share of an area; 0 when there is none of it.
SILT_HD inline double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

/// Nearest point of a triangle: by the regions of its corners, edges and inside, told apart by dot products.
SILT_HD inline NearestOnTriangle nearest_on_triangle(const MeshTriangle& t, const Vec3d& x) {
  const Vec3d ap = x - t.a;
  const double d1 = dot(t.ab, ap), d2 = dot(t.ac, ap);
  const double bb = dot(t.ab, t.ab), bc = dot(t.ab, t.ac), cc = dot(t.ac, t.ac);
  const double d3 = d1 - bb, d4 = d2 - bc;  // seen from b
  const double d5 = d1 - bc, d6 = d2 - cc;  // seen from c
  double v = 0, w = 0;
  TrianglePart part = TrianglePart::face;
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  if (d1 <= 0 && d2 <= 0) {
    part = TrianglePart::a;
  } else if (d3 >= 0 && d4 <= d3) {
    part = TrianglePart::b, v = 1;
  } else if (d6 >= 0 && d5 <= d6) {
    part = TrianglePart::c, w = 1;
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    part = TrianglePart::ab, v = share(d1, d1 - d3);
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    part = TrianglePart::ca, w = share(d2, d2 - d6);
  } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    part = TrianglePart::bc, w = share(d4 - d3, (d4 - d3) + (d5 - d6)), v = 1 - w;
  } else {
    v = share(vb, va + vb + vc), w = share(vc, va + vb + vc);
  }
  const Vec3d off = ap - t.ab * v - t.ac * w;
  return {dot(off, off), v, w, part};
}

/// Solid angle / 2 of a triangle seen from x, positive from behind [VS83: Van Oosterom & Strackee 1983].
SILT_HD inline double half_solid_angle(const MeshTriangle& t, const Vec3d& x) {
  const Vec3d a = t.a - x, b = a + t.ab, c = a + t.ac;
  const double la = length(a), lb = length(b), lc = length(c);
  const double along = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  return std::atan2(dot(a, cross(b, c)), along);
}

/// Where a search for the nearest triangle ended, to begin the next one nearby. A new one knows nothing.
struct MeshCursor {
  int triangle = -1;
  Vec3d at{};            ///< of the last point [m], local
  double clearance = 0;  ///< nothing lies within this distance of it [m]
  bool inside = false;   ///< whether it was
};

struct MeshSample {
  double distance;  ///< [m], negative inside
  Vec3d velocity;   ///< of the nearest point [m/s]
};

/// A mesh and its trees as kernels see them; made by MeshData. Triangles stand in groups of eight; where a group has
/// fewer, the last is repeated.
struct MeshView {
  static constexpr int deepest = 32;  ///< levels of the tree of twos

  const MeshBoxes* boxes = nullptr;
  const MeshGroup* groups = nullptr;
  const MeshTriangle* triangles = nullptr;
  const MeshCluster* clusters = nullptr;
  const Vec3f* normals = nullptr;     ///< seven a triangle, by TrianglePart; null: sides by winding number
  const Vec3f* velocities = nullptr;  ///< three a triangle [m/s]; null: at rest
  Vec3d origin{};                     ///< that boxes and groups count from [m]
  double size2 = 0;                   ///< from there to the farthest corner, squared [m^2]
  bool closed = false;                ///< the winding number is whole off the surface
  double thickness = 0;               ///< of a sheet [m]; 0: a solid

  /// How often the surface winds round x [JKS13: Jacobson et al. 2013]: 1 inside, 0 outside, between near holes.
  SILT_HD double winding_number(const Vec3d& x) const {
    constexpr double near2 = 2.0 * 2.0;  // a cluster farther than this many radii, squared, is seen as a whole
    constexpr double pi = 3.14159265358979323846;
    double far = 0, near = 0;  // solid angle, and its half
    int stack[deepest];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const int i = stack[--top];
      const MeshCluster& m = clusters[i];
      const Vec3d r = m.centre - x;
      const double r2 = dot(r, r);
      if (r2 > near2 * m.radius2) {
        const double inv = 1 / r2, inv3 = inv / std::sqrt(r2);
        const Vec3d tilted{dot(m.tilt[0], r), dot(m.tilt[1], r), dot(m.tilt[2], r)};
        far += inv3 * (dot(m.area, r) + m.tilt[0].x + m.tilt[1].y + m.tilt[2].z - 3 * inv * dot(r, tilted));
      } else if (m.count > 0) {
        for (int t = 0; t < m.count; ++t) near += half_solid_angle(triangles[m.first + t], x);
      } else {
        stack[top++] = m.first;
        stack[top++] = i + 1;
      }
    }
    return (far + 2 * near) / (4 * pi);
  }

  /// Signed distance to x; less half the thickness for a sheet.
  SILT_HD double distance(const Vec3d& x, MeshCursor& cursor) const {
    if (beyond(x)) return length(x - origin);
    const NearestOnTriangle n = nearest(x, cursor);
    return settle(x, n, cursor);
  }
  SILT_HD MeshSample sample(const Vec3d& x, MeshCursor& cursor) const {
    if (beyond(x)) return {length(x - origin), {}};
    const NearestOnTriangle n = nearest(x, cursor);
    Vec3d v{};
    if (velocities) {
      const Vec3f* c = velocities + 3 * std::size_t(cursor.triangle);
      v = c[0].as<double>() * (1 - n.v - n.w) + c[1].as<double>() * n.v + c[2].as<double>() * n.w;
    }
    return {settle(x, n, cursor), v};
  }

 private:
  /// So far away that a mesh is a point, and squares leave the range of float.
  SILT_HD bool beyond(const Vec3d& x) const {
    constexpr double far_away = 1e14;  // [m]
    return dot(x - origin, x - origin) > far_away * far_away;
  }

  /// The nearest triangle, into the cursor; begins with the one that it names. Looks at eight boxes or triangles at a
  /// time, in float: of triangles whose distances differ by less than its rounding (1e-6 of the mesh's size) it takes
  /// any, and measures that one exactly.
  SILT_HD NearestOnTriangle nearest(const Vec3d& x, MeshCursor& cursor) const {
    const Vec3f p = (x - origin).as<float>();
    const int seed = cursor.triangle;
    NearestOnTriangle first{};
    float limit = 3e38f;
    if (seed >= 0) {
      first = nearest_on_triangle(triangles[seed], x);
      limit = float(first.distance2);
    }
    constexpr int most = 7 * 10 + 1;  // seven wait on each of ten levels
    int stack[most];
    float bound[most];
    int top = 0, found = seed;
    stack[0] = 0, bound[top++] = 0;
    float d2[mesh_lanes];
    while (top > 0) {
      --top;
      if (bound[top] >= limit) continue;
      const int at = stack[top];
      if (at < 0) {
        groups[~at].distance2(p, d2);
        const float least = smallest(d2);
        if (!(least < limit)) continue;
        limit = least;
        int l = 0;
        while (d2[l] != least) ++l;
        found = ~at * mesh_lanes + l;
        continue;
      }
      boxes[at].distance2(p, d2);
      const int bottom = top;
      for (int l = 0; l < mesh_lanes; ++l) {
        if (d2[l] >= limit) continue;
        int place = top++;  // the nearest come to lie on top
        for (; place > bottom && bound[place - 1] < d2[l]; --place)
          stack[place] = stack[place - 1], bound[place] = bound[place - 1];
        stack[place] = boxes[at].child[l], bound[place] = d2[l];
      }
    }
    if (found < 0) found = 0;  // x is not a number: neither will the answer be
    if (found == seed) return first;
    const NearestOnTriangle last = nearest_on_triangle(triangles[found], x);
    if (seed >= 0 && first.distance2 <= last.distance2) return first;
    cursor.triangle = found;
    return last;
  }

  SILT_HD_INLINE static float smallest(const float (&d2)[mesh_lanes]) {
    float out = d2[0];
    for (int l = 1; l < mesh_lanes; ++l) out = d2[l] < out ? d2[l] : out;
    return out;
  }

  /// The sign, and what the next search may go by.
  SILT_HD double settle(const Vec3d& x, const NearestOnTriangle& n, MeshCursor& cursor) const {
    const double d = std::sqrt(n.distance2);
    if (thickness > 0) return d - 0.5 * thickness;
    bool inside = false;
    if (dot(x - origin, x - origin) > size2) {
      cursor.clearance = 0;
    } else if (normals) {
      const MeshTriangle& t = triangles[cursor.triangle];
      const Vec3d off = x - t.a - t.ab * n.v - t.ac * n.w;
      inside = dot(off, normals[7 * std::size_t(cursor.triangle) + int(n.part)].as<double>()) < 0;
    } else {
      const Vec3d step = x - cursor.at;
      inside =
          closed && dot(step, step) < cursor.clearance * cursor.clearance ? cursor.inside : winding_number(x) > 0.5;
      cursor.at = x, cursor.clearance = d, cursor.inside = inside;
    }
    return inside ? -d : d;
  }
};

}  // namespace silt

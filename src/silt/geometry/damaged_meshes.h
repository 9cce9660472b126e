#pragma once

/// Meshes of known solids, deliberately damaged: for tests and for the experiment `distance`.

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "silt/geometry/sample_meshes.h"
#include "silt/geometry/shape.h"

namespace silt {

struct DamagedMesh {
  TriangleMesh mesh;
  Shape exact;         ///< the solid it is a mesh of
  std::string damage;  ///< "ball, 2 holes, 30 flipped"
  struct Gap {
    Vec3d centre;
    double radius;
  };
  std::vector<Gap> gaps{};  ///< where triangles were taken out: what was there, nobody can know
  int duplicated = 0, flipped = 0, holes = 0, crossing = 0;
};

/// Number `number` of an endless series; about one unit in size, round the origin.
inline DamagedMesh damaged_mesh(unsigned number) {
  std::mt19937 random(number * 7919 + 17);
  const auto uniform = [&](double a, double b) { return a + (b - a) * double(random() >> 1) / double(1u << 31); };
  DamagedMesh out{{}, Shape::sphere({}, 1), {}};
  switch (number % 4) {
    case 0:
      out.mesh = ball_mesh({}, 0.7, 3 + int(number / 4 % 2));
      out.exact = Shape::sphere({}, 0.7);
      out.damage = "ball";
      break;
    case 1:
      out.mesh = torus_mesh(0.6, 0.25, 48, 24);
      out.exact = Shape::torus({}, {0, 0, 1}, 0.6, 0.25);
      out.damage = "ring";
      break;
    case 2:
      out.mesh = box_mesh({-0.6, -0.5, -0.4}, {0.5, 0.6, 0.4}, 10);
      out.exact = Shape::box({-0.6, -0.5, -0.4}, {0.5, 0.6, 0.4});
      out.damage = "box";
      break;
    default: {  // a hollow ball
      TriangleMesh inner = ball_mesh({}, 0.35, 3);
      for (Int3& t : inner.triangles) std::swap(t.x, t.y);
      out.mesh = together(ball_mesh({}, 0.8, 3), inner);
      out.exact = Shape::subtract(Shape::sphere({}, 0.8), Shape::sphere({}, 0.35));
      out.damage = "hollow ball";
    }
  }
  const auto middle = [&](const Int3& t) {
    return (out.mesh.vertices[t.x] + out.mesh.vertices[t.y] + out.mesh.vertices[t.z]) / 3.0;
  };
  const unsigned kinds = number / 4 % 16 == 0 ? 15 : number / 4 % 16;  // every combination
  if (kinds & 1) {                                                     // another solid that passes through it
    const Vec3d at = middle(out.mesh.triangles[random() % out.mesh.triangles.size()]);
    const double radius = uniform(0.15, 0.25);
    out.mesh = together(out.mesh, ball_mesh(at, radius, 3));
    out.exact = Shape::unite(out.exact, Shape::sphere(at, radius));
    out.crossing = 1;
  }
  if (kinds & 2) {
    out.holes = 1 + int(random() % 3);
    for (int h = 0; h < out.holes; ++h) {
      const Vec3d at = middle(out.mesh.triangles[random() % out.mesh.triangles.size()]);
      const double radius = uniform(0.05, 0.13);
      std::erase_if(out.mesh.triangles, [&](const Int3& t) { return length(middle(t) - at) < radius; });
      out.gaps.push_back({at, radius});
    }
  }
  if (kinds & 4) {
    // A hollow is known by the way that most of its triangles face: of it, fewer may be flipped.
    const double part = uniform(0.01, number % 4 == 3 ? 0.4 : 0.9);
    for (Int3& t : out.mesh.triangles)
      if (uniform(0, 1) < part) std::swap(t.x, t.y), ++out.flipped;
  }
  if (kinds & 8) {
    out.duplicated = 1 + int(random() % 200);
    for (int i = 0; i < out.duplicated; ++i) {
      Int3& t = out.mesh.triangles[random() % out.mesh.triangles.size()];
      const int corner = int(random() % 3);
      out.mesh.vertices.push_back(out.mesh.vertices[t[corner]]);
      t[corner] = int(out.mesh.vertices.size()) - 1;
    }
  }
  out.damage += (out.crossing ? ", crossed" : "") + std::string(out.holes ? ", holes" : "") +
                (out.flipped ? ", flipped" : "") + (out.duplicated ? ", duplicates" : "");
  return out;
}

/// How many of `looks` random points farther than `margin` [m] from the surface, and from what is missing of it, a
/// shape puts on the wrong side.
inline int wrong_sides(const DamagedMesh& damaged, const Shape& shape, double margin, int looks) {
  std::mt19937 random(1);
  int wrong = 0;
  for (int i = 0; i < looks;) {
    Vec3d x;
    for (int a = 0; a < 3; ++a) x[a] = -1.1 + 2.2 * double(random() >> 1) / double(1u << 31);
    const double d = damaged.exact.distance(x);
    if (std::abs(d) < margin) continue;
    if (std::any_of(damaged.gaps.begin(), damaged.gaps.end(),
                    [&](const DamagedMesh::Gap& g) { return length(x - g.centre) < g.radius; }))
      continue;
    wrong += (shape.distance(x) < 0) != (d < 0);
    ++i;
  }
  return wrong;
}

}  // namespace silt

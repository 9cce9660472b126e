#include "silt/geometry/mesh_polygon.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "silt/core/mat3.h"
#include "silt/core/random.h"

namespace silt {
namespace {

constexpr double pi = 3.14159265358979323846;
using Outline = std::vector<Vec3d>;

/// One that goes round the origin, at a distance told by the corner's number.
template <class F>
Outline round(int corners, const F& radius) {
  Outline out;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * pi * i / corners;
    out.push_back(Vec3d{std::cos(angle), std::sin(angle), 0} * radius(i));
  }
  return out;
}

Outline comb(int teeth) {
  Outline out{{double(teeth), -1, 0}};
  for (int i = teeth; i > 0; --i)
    for (const Vec3d& x : {Vec3d{i - 0.1, 5, 0}, Vec3d{i - 0.6, 0, 0}}) out.push_back(x);
  out.push_back({0, -1, 0});
  return out;
}

/// A band that winds inwards.
Outline spiral(int corners) {
  Outline outer, out;
  for (int i = 0; i < corners / 2; ++i) {
    const double angle = 0.1 * i, r = 1 + 2.0 * angle;
    outer.push_back({r * std::cos(angle), r * std::sin(angle), 0});
    out.push_back(outer.back() * ((r + 4) / r));
  }
  out.insert(out.end(), outer.rbegin(), outer.rend());
  return out;
}

/// A square with corners all along its sides, and a square hole that a cut leads to.
Outline keyhole() {
  Outline out;
  for (int side = 0; side < 4; ++side)
    for (int i = 0; i < 9; ++i) {
      const double s = i / 9.0 * 2 - 1;
      out.push_back(side == 0   ? Vec3d{s, -1, 0}
                    : side == 1 ? Vec3d{1, s, 0}
                    : side == 2 ? Vec3d{-s, 1, 0}
                                : Vec3d{-1, -s, 0});
    }
  out.push_back(out[0]);
  for (const Vec3d& x :
       {Vec3d{-0.5, -0.5, 0}, Vec3d{-0.5, 0.5, 0}, Vec3d{0.5, 0.5, 0}, Vec3d{0.5, -0.5, 0}, Vec3d{-0.5, -0.5, 0}})
    out.push_back(x);
  return out;
}

double area_of(const Outline& outline) {
  double out = 0;
  for (std::size_t i = 0; i < outline.size(); ++i) out += 0.5 * cross(outline[i], outline[(i + 1) % outline.size()]).z;
  return out;
}

/// Two triangles less than corners, none turned over, areas that add up, and every side of the polygon on one triangle:
/// together they are the polygon, once.
void expect_covered(const Outline& outline, const Mat3d& turn) {
  TriangleMesh mesh;
  for (const Vec3d& x : outline) mesh.vertices.push_back(turn * x + Vec3d{3, -2, 1});
  std::vector<int> corners(outline.size());
  std::iota(corners.begin(), corners.end(), 0);
  add_polygon(mesh, corners);
  ASSERT_EQ(mesh.triangles.size(), outline.size() - 2);
  const double whole = area_of(outline);
  double area = 0;
  std::map<std::pair<int, int>, int> sides;
  for (const Int3& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[t.x];
    const double own = 0.5 * dot(cross(mesh.vertices[t.y] - a, mesh.vertices[t.z] - a), turn * Vec3d{0, 0, 1});
    EXPECT_GT(own, -1e-12 * whole);
    area += own;
    for (int c = 0; c < 3; ++c) ++sides[{t[c], t[(c + 1) % 3]}];
  }
  EXPECT_NEAR(area, whole, 1e-9 * whole);
  for (int i = 0; i < int(outline.size()); ++i) EXPECT_EQ((sides[{i, (i + 1) % int(outline.size())}]), 1) << i;
}

TEST(MeshPolygon, ItsTrianglesCoverItOnce) {
  std::vector<Outline> outlines{comb(7), comb(700), spiral(60), spiral(3000), keyhole()};
  for (const int n : {3, 4, 5, 31, 33, 2000, 20000}) outlines.push_back(round(n, [](int) { return 1.0; }));
  for (const int n : {8, 64, 20000}) outlines.push_back(round(n, [](int i) { return i % 2 ? 1.0 : 0.2; }));
  for (int seed = 0; seed < 20; ++seed)
    for (const int n : {6, 40, 300}) outlines.push_back(round(n, [&](int i) { return 0.1 + random_unit(seed, i, n); }));
  for (const Outline& outline : outlines)
    for (const Vec3d& degrees : {Vec3d{0, 0, 0}, Vec3d{180, 0, 0}, Vec3d{30, 100, 20}})
      expect_covered(outline, euler_xyz(degrees));
}

// A fan would have all its triangles at one corner: searches in it look at every one of them.
TEST(MeshPolygon, NoCornerHasMoreThanAFewTriangles) {
  const int n = 4096;
  TriangleMesh mesh;
  mesh.vertices = round(n, [](int) { return 1.0; });
  std::vector<int> corners(n), at(n, 0);
  std::iota(corners.begin(), corners.end(), 0);
  add_polygon(mesh, corners);
  for (const Int3& t : mesh.triangles)
    for (int c = 0; c < 3; ++c) ++at[t[c]];
  EXPECT_LE(*std::max_element(at.begin(), at.end()), 2 * 13);  // two in each of the log2(n) rounds, and one more
}

TEST(MeshPolygon, WhatCrossesItselfOrHasNoAreaStillBecomesTriangles) {
  for (const Outline& outline : {Outline{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}},
                                 Outline{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {1, 0, 0}},
                                 Outline(50, Vec3d{1, 2, 3}), round(100, [](int i) { return i % 3 - 1.0; })}) {
    TriangleMesh mesh;
    mesh.vertices = outline;
    std::vector<int> corners(outline.size());
    std::iota(corners.begin(), corners.end(), 0);
    add_polygon(mesh, corners);
    EXPECT_EQ(mesh.triangles.size(), outline.size() - 2);
  }
}

}  // namespace
}  // namespace silt

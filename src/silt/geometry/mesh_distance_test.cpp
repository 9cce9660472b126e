#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "silt/geometry/height_field.h"
#include "silt/geometry/mesh_repair.h"
#include "silt/geometry/sample_meshes.h"
#include "silt/geometry/shape_grid.h"
#include "silt/geometry/shape_on.h"

namespace silt {
namespace {

Shape shape_of(const TriangleMesh& mesh, bool by_winding = false) {
  const RepairedMesh r = repair_mesh(mesh);
  return Shape::mesh(std::make_shared<const MeshData>(
      r.mesh, MeshSides{.closed = r.report.closed, .simple = r.report.simple && !by_winding, .thickness = 0}));
}

Vec3d random_point(std::mt19937& random, double reach) {
  std::uniform_real_distribution<double> u(-reach, reach);
  return {u(random), u(random), u(random)};
}

TEST(MeshDistance, OfABoxIsThatOfABox) {
  const Vec3d low{-0.3, -0.2, -0.5}, high{0.4, 0.6, 0.1};
  std::mt19937 random(5);
  for (const bool by_winding : {false, true})
    for (const int n : {1, 5}) {
      const Shape mesh = shape_of(box_mesh(low, high, n), by_winding), box = Shape::box(low, high);
      for (int i = 0; i < 3000; ++i) {
        const Vec3d x = random_point(random, 1);
        ASSERT_NEAR(mesh.distance(x), box.distance(x), 1e-6) << x << by_winding;
      }
      const auto [lowest, highest] = mesh.bounds();
      EXPECT_LT(length(lowest - low), 1e-15);
      EXPECT_LT(length(highest - high), 1e-15);
    }
}

// The ball's own distance lies above its mesh's, by at most the sagitta of the largest triangle: the mesh cuts the
// corners off. In the middle between, they differ by half of it.
TEST(MeshDistance, OfABallIsWithinHalfASagitta) {
  const double radius = 0.7;
  const Vec3d centre{0.1, -0.2, 0.05};
  for (const int splits : {1, 2, 3, 4}) {
    const TriangleMesh mesh = ball_mesh(centre, radius, splits);
    double sagitta = 0;
    for (const Int3& t : mesh.triangles)
      sagitta = std::max(
          sagitta, radius - length((mesh.vertices[t.x] + mesh.vertices[t.y] + mesh.vertices[t.z]) / 3.0 - centre));
    const Shape shape = shape_of(mesh);
    std::mt19937 random(6);
    for (int i = 0; i < 3000; ++i) {
      const Vec3d x = random_point(random, 1.2);
      const double exact = length(x - centre) - radius;
      ASSERT_NEAR(shape.distance(x) - 0.5 * sagitta, exact, 0.5 * sagitta * 1.001) << splits << x;
    }
  }
}

/// By looking at every triangle, in double.
double nearest_of_all(const TriangleMesh& mesh, const Vec3d& x) {
  double nearest = 1e300;
  for (const Int3& t : mesh.triangles) {
    const Vec3d a = mesh.vertices[t.x];
    nearest = std::min(nearest, nearest_on_triangle({a, mesh.vertices[t.y] - a, mesh.vertices[t.z] - a}, x).distance2);
  }
  return std::sqrt(nearest);
}

TEST(MeshDistance, IsThatOfTheNearestTriangle) {
  const TriangleMesh mesh = torus_mesh(0.6, 0.25, 40, 24);
  const Shape shape = shape_of(mesh);
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    const Vec3d x = random_point(random, 1.2);
    EXPECT_NEAR(std::abs(shape.distance(x)), nearest_of_all(mesh, x), 1e-6);
  }
}

/// Triangles of length up to 1 in all directions, `aspect` times longer than high, with their third corner at either
/// end or in between; and one that has shrunk to a line, and one to a point.
TriangleMesh needles(double aspect, int count, std::mt19937& random) {
  TriangleMesh out;
  const auto add = [&](const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const int n = int(out.vertices.size());
    for (const Vec3d& x : {a, b, c}) out.vertices.push_back(x);
    out.triangles.push_back({n, n + 1, n + 2});
  };
  for (int i = 0; i < count; ++i) {
    const Vec3d a = random_point(random, 1), along = random_point(random, 0.5);
    const Vec3d high = normalized(cross(along, random_point(random, 1))) * (length(along) / aspect);
    const double foot[] = {0, 0.3, 1};
    const Vec3d c = a + along * foot[i % 3] + high;
    i % 2 ? add(a, a + along, c) : add(c, a, a + along);
  }
  add({0, 0, 0}, {0, 0, 0.5}, {0, 0, 0.25});
  add({0.2, 0.2, 0.2}, {0.2, 0.2, 0.2}, {0.2, 0.2, 0.2});
  return out;
}

TEST(MeshDistance, OfNeedlesIsThatOfTheNearest) {
  std::mt19937 random(11);
  for (const double aspect : {1e2, 1e4, 1e6, 1e8}) {
    const TriangleMesh mesh = needles(aspect, 100, random);
    const Shape shape = Shape::mesh(std::make_shared<const MeshData>(mesh, MeshSides{.thickness = 1e-300}));
    for (int i = 0; i < 500; ++i) {
      const Vec3d x = random_point(random, 1.2);
      ASSERT_NEAR(shape.distance(x), nearest_of_all(mesh, x), 1e-6) << aspect << x;
    }
  }
}

// A height field in 2D is the middle of a long ridge: its sides are needles next to each other, its floor a fan of
// them.
TEST(MeshDistance, OfALongRidgeIsThatOfTheNearest) {
  for (const int columns : {64, 512}) {
    HeightField field{columns, 2, {}};
    for (int i = 0; i < 2 * columns; ++i)
      field.heights.push_back(0.5f + 0.4f * std::sin(12.0f * (i % columns) / columns));
    const double half_length = 6;
    const TriangleMesh ridge = height_field_mesh(field, {0, -half_length, 0}, {1, half_length, 0.5}, 0.1);
    const Shape shape = shape_of(ridge);
    std::mt19937 random(12);
    std::uniform_real_distribution<double> u(-0.2, 1.2);
    for (int i = 0; i < 1000; ++i) {
      const Vec3d x{u(random), 0, u(random)};
      ASSERT_NEAR(std::abs(shape.distance(x)), nearest_of_all(ridge, x), 1e-6 * half_length) << columns << x;
    }
  }
}

TEST(MeshDistance, NearestPointOfATriangleIsOfItsPart) {
  const MeshTriangle t{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  using enum TrianglePart;
  const std::pair<Vec3d, TrianglePart> cases[] = {{{-1, -1, 1}, a},     {{2, -1, 0.3}, b}, {{-1, 2, 0}, c},
                                                  {{0.5, -1, 0.1}, ab}, {{1, 1, 0}, bc},   {{-1, 0.5, 2}, ca},
                                                  {{0.2, 0.3, 1}, face}};
  for (const auto& [x, part] : cases) EXPECT_EQ(nearest_on_triangle(t, x).part, part) << x;
}

TEST(MeshDistance, WindingNumberFromAfarAgreesWithTheExactSum) {
  const TriangleMesh mesh = torus_mesh(0.6, 0.25, 60, 40);
  const MeshData data(mesh, {});
  const MeshView view = data.view(Exec());
  std::mt19937 random(8);
  double worst = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3d x = random_point(random, 1);
    double exact = 0;
    for (std::size_t t = 0; t < data.order().size(); ++t)
      if (data.order()[t] >= 0) exact += half_solid_angle(view.triangles[t], x);
    worst = std::max(worst, std::abs(view.winding_number(x) - exact / (2 * 3.14159265358979323846)));
  }
  EXPECT_LT(worst, 0.03);
}

// Rows with a cursor, any number of threads, and single looks: all the same.
TEST(MeshDistance, OnAGridIsTheSameForAnyThreadsAndAsSingleLooks) {
  const TriangleMesh two = together(ball_mesh({-0.2, 0, 0}, 0.5, 3), ball_mesh({0.3, 0, 0}, 0.4, 3));
  for (const Shape& shape : {shape_of(ball_mesh({}, 0.6, 3)), shape_of(two)}) {
    const Box box{{-20, -20, -20}, {21, 21, 21}};
    Buffer<float> one, four;
    shape_distances(Exec(Device::cpu, 1), shape, {}, 0.05, box, one);
    shape_distances(Exec(Device::cpu, 4, 1), shape, {}, 0.05, box, four);
    std::size_t at = 0;
    for (int k = box.lo.z; k < box.hi.z; ++k)
      for (int j = box.lo.y; j < box.hi.y; ++j)
        for (int i = box.lo.x; i < box.hi.x; ++i, ++at) {
          ASSERT_EQ(one.host()[at], four.host()[at]);
          ASSERT_FLOAT_EQ(one.host()[at], float(shape.distance(Vec3d{i * 0.05, j * 0.05, k * 0.05})));
        }
  }
}

TEST(MeshDistance, OverlappingSolidsAreOneSolid) {
  const Shape mesh = shape_of(together(ball_mesh({-0.2, 0, 0}, 0.5, 4), ball_mesh({0.3, 0, 0}, 0.4, 4)));
  const Shape exact = Shape::unite(Shape::sphere({-0.2, 0, 0}, 0.5), Shape::sphere({0.3, 0, 0}, 0.4));
  std::mt19937 random(9);
  for (int i = 0; i < 3000; ++i) {
    const Vec3d x = random_point(random, 1);
    const double d = exact.distance(x);
    if (std::abs(d) < 0.005) continue;
    ASSERT_EQ(mesh.distance(x) < 0, d < 0) << x;
    ASSERT_LE(std::abs(mesh.distance(x)), std::abs(d) + 0.005) << x;
  }
}

TEST(MeshDistance, AHollowStaysHollow) {
  TriangleMesh inner = ball_mesh({}, 0.4, 3);
  for (Int3& t : inner.triangles) std::swap(t.x, t.y);
  const Shape shape = shape_of(together(ball_mesh({}, 0.8, 3), inner));
  EXPECT_NEAR(shape.distance({0, 0, 0}), 0.4, 0.01);
  EXPECT_NEAR(shape.distance({0.6, 0, 0}), -0.2, 0.01);
  EXPECT_NEAR(shape.distance({0, 1, 0}), 0.2, 0.01);
}

TEST(MeshDistance, WhatIsNoNumberHasNoDistance) {
  const Shape shape = shape_of(ball_mesh({}, 0.6, 2));
  EXPECT_TRUE(std::isnan(shape.distance({std::nan(""), 0, 0})));
  EXPECT_NEAR(shape.distance({1e30, 0, 0}), 1e30, 1e20);
  EXPECT_NEAR(shape.distance({-1e10, 0, 0}), 1e10, 1);
}

TEST(MeshDistance, ASheetHasAThickness) {
  TriangleMesh sheet;
  sheet.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  const RepairedMesh r = repair_mesh(sheet);
  EXPECT_TRUE(r.report.sheet());
  const Shape shape = Shape::mesh(std::make_shared<const MeshData>(r.mesh, MeshSides{.thickness = 0.1}));
  EXPECT_NEAR(shape.distance({0.5, 0.5, 0}), -0.05, 1e-15);
  EXPECT_NEAR(shape.distance({0.5, 0.5, -0.3}), 0.25, 1e-15);
  EXPECT_NEAR(shape.distance({1.3, 0.5, 0.4}), 0.45, 1e-15);
  EXPECT_EQ(shape.bounds().highest, (Vec3d{1.05, 1.05, 0.05}));
}

TEST(MeshDistance, TransformsCarryMeshes) {
  const Similarity how{euler_xyz({30, -50, 80}), {0.4, -0.1, 0.2}, 0.7};
  const Shape mesh = shape_of(torus_mesh(0.6, 0.25, 40, 24)), moved = mesh.transformed(how);
  std::mt19937 random(10);
  for (int i = 0; i < 300; ++i) {
    const Vec3d x = random_point(random, 1.2);
    EXPECT_NEAR(moved.distance(how(x)), 0.7 * mesh.distance(x), 1e-14);
  }
}

}  // namespace
}  // namespace silt

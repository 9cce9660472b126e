#include "silt/fields/thin_solid.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/core/random.h"

namespace silt {
namespace {

/// Cells of side 1.
Domain unit_cells(int n, int dims = 3) {
  Domain out;
  out.lattice.active = {1, 1, dims == 3};
  if (dims == 2) out.lattice.origin.z = -0.5;
  out.cells = {{0, 0, 0}, {n, n, dims == 3 ? n : 1}};
  return out;
}

Vec3d random_vector(int n, int dims = 3) {
  return {2 * random_unit(1, n, 0) - 1, 2 * random_unit(1, n, 1) - 1, dims == 3 ? 2 * random_unit(1, n, 2) - 1 : 0};
}

double thickness(const Shape& solid, const Domain& domain, const Around& around = {}) {
  const std::optional<ThinPlace> thin = find_thin(solid, domain, around);
  return thin ? thin->thickness : 1;
}

TEST(ThinSolid, APlatesThicknessIsMeasuredHoweverItLies) {
  for (const int dims : {2, 3})
    for (int i = 0; i < 20; ++i) {
      const Domain domain = unit_cells(16, dims);
      const Vec3d normal = normalized(random_vector(i, dims)), middle{8.3, 7.9, dims == 3 ? 8.1 : 0};
      for (const double t : {1e-4, 0.03, 0.4, 0.98}) {
        const Vec3d half = normal * (0.5 * t);
        const Shape plate = Shape::intersect(Shape::plane(middle + half, normal), Shape::plane(middle - half, -normal));
        const std::optional<ThinPlace> thin = find_thin(plate, domain);
        ASSERT_TRUE(thin) << normal << ' ' << t;
        EXPECT_NEAR(thin->thickness, t, 0.003 * t + 1e-6) << normal;
        EXPECT_NEAR(std::abs(dot(thin->place - middle, normal)), 0.5 * t, 1e-3) << "the place lies on its surface";
      }
      const Shape whole =
          Shape::intersect(Shape::plane(middle + normal * 0.5, normal), Shape::plane(middle - normal * 0.5, -normal));
      EXPECT_FALSE(find_thin(whole, domain)) << "one cell thick, " << normal;
    }
}

TEST(ThinSolid, AWedgeIsThinWhenItIsSoOverManyCells) {
  const Domain domain = unit_cells(32);
  const auto wedge = [](double degrees) {
    const double half = degrees * 3.14159265358979323846 / 360;
    const Vec3d tip{3.2, 16, 16.1};
    const Shape sides = Shape::intersect(Shape::plane(tip, {-std::sin(half), 0, std::cos(half)}),
                                         Shape::plane(tip, {-std::sin(half), 0, -std::cos(half)}));
    return Shape::intersect(sides, Shape::box({2, 2, 2}, {30, 30, 30}));
  };
  EXPECT_TRUE(find_thin(wedge(5), domain)) << "thin over 11 cells";
  for (const double degrees : {11.0, 20.0, 45.0, 90.0}) EXPECT_FALSE(find_thin(wedge(degrees), domain)) << degrees;
}

TEST(ThinSolid, WhatLiesOnAWallOrOnAnotherIsAsThickAsBoth) {
  const Domain domain = unit_cells(16);
  const Shape mat = Shape::box({3, 3, -1}, {12, 12, 0.3}), sheet = Shape::box({3, 3, 5}, {12, 12, 5.3});
  EXPECT_EQ(thickness(mat, domain), 1);
  EXPECT_EQ(thickness(Shape::box({3, 3, 0}, {12, 12, 0.3}), domain), 1);
  EXPECT_NEAR(thickness(sheet, domain), 0.3, 1e-6);
  EXPECT_EQ(thickness(sheet, domain, {.others = {Shape::box({3, 3, 3}, {12, 12, 5})}}), 1);
  EXPECT_NEAR(thickness(sheet, domain, {.others = {Shape::box({3, 3, 3}, {12, 12, 4.5})}}), 0.3, 1e-6) << "a gap";
  EXPECT_NEAR(thickness(Shape::box({3, 3, 0}, {12, 12, 0.3}), domain, {.moves = true}), 0.3, 1e-6);
  Domain open = domain;
  open.sides[2][0] = Side::open;
  EXPECT_NEAR(thickness(Shape::box({3, 3, 0}, {12, 12, 0.3}), open), 0.3, 1e-6);
}

// The fin is a hundredth of the surface, and of large domains only some cells are looked at.
TEST(ThinSolid, AFinOfALargeBlockIsFound) {
  const Domain domain = unit_cells(256);
  const Shape block = Shape::box({20, 20, 20}, {230, 230, 230});
  EXPECT_FALSE(find_thin(block, domain));
  const Shape fin = Shape::box({100, 100, 230}, {100.5, 140, 250});
  EXPECT_NEAR(thickness(Shape::unite(block, fin), domain), 0.5, 1e-6);
}

}  // namespace
}  // namespace silt

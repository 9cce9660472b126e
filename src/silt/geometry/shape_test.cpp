#include "silt/geometry/shape.h"

#include <gtest/gtest.h>

namespace silt {
namespace {

TEST(Shape, BoxDistanceIsExactInsideAndOutside) {
  const Shape box = Shape::box({0, 0, 0}, {1, 2, 3});
  EXPECT_DOUBLE_EQ(box.distance({0.5, 1, 1.5}), -0.5);
  EXPECT_DOUBLE_EQ(box.distance({0.5, 1, 3.25}), 0.25);
  EXPECT_DOUBLE_EQ(box.distance({4, 6, 1}), 5);  // a 3-4-5 corner
  EXPECT_DOUBLE_EQ(box.distance({1, 1, 1}), 0);
}

TEST(Shape, CombinationsFollowSetAlgebra) {
  const Shape a = Shape::sphere({0, 0, 0}, 1), b = Shape::sphere({1, 0, 0}, 1);
  for (double x = -1.5; x <= 2.5; x += 0.1) {
    const Vec3d p{x, 0.2, 0.1};
    const bool in_a = a.distance(p) < 0, in_b = b.distance(p) < 0;
    EXPECT_EQ(Shape::unite(a, b).distance(p) < 0, in_a || in_b) << x;
    EXPECT_EQ(Shape::intersect(a, b).distance(p) < 0, in_a && in_b) << x;
    EXPECT_EQ(Shape::subtract(a, b).distance(p) < 0, in_a && !in_b) << x;
  }
}

TEST(Shape, BoundsHoldTheShape) {
  const Shape s = Shape::subtract(Shape::unite(Shape::box({0, 0, 0}, {1, 1, 1}), Shape::sphere({2, 0, 0}, 0.5)),
                                  Shape::sphere({0, 0, 0}, 5));
  const auto [lowest, highest] = s.bounds();
  EXPECT_EQ(lowest, (Vec3d{0, -0.5, -0.5}));
  EXPECT_EQ(highest, (Vec3d{2.5, 1, 1}));
}

// A drum that spins about its axis stays where it is, however it lies; so does a ball that spins about any.
TEST(Shape, ASpinThatKeepsTheFormDisplacesNothing) {
  const Vec3d from{0.2, 0.1, -0.3}, to{0.5, 0.9, 0.4}, axis = normalized(to - from), centre{1, 2, 3};
  const Shape drum = Shape::subtract(Shape::cylinder(from, to, 0.4), Shape::cylinder(from, to, 0.3));
  const Shape both =
      Shape::unite(drum.transformed({rotation_about({1, 2, 3}, 0.7), {0.1, 0.2, 0.3}, 2}), Shape::sphere(centre, 0.5));
  const auto left = [&](const Vec3d& x, const RigidVelocity& motion) {
    ShapeCursor cursor;
    return both.view().displacing(x, motion, cursor).at(x);
  };
  const Mat3d turn = rotation_about({1, 2, 3}, 0.7);
  const Vec3d on_axis = turn * from * 2 + Vec3d{0.1, 0.2, 0.3}, along = turn * axis;
  const Vec3d off = normalized(cross(along, Vec3d{0, 0, 1})) * 0.7, near = on_axis + along + off;
  EXPECT_LT(length(left(near, {{}, along * 5, on_axis})), 1e-12);
  EXPECT_LT(length(left(centre + off, {{}, {3, -1, 2}, centre})), 1e-12);
  // What is left of any motion differs from it by nothing that crosses the surface.
  const RigidVelocity any{{0.3, -0.2, 0.5}, {1, 2, -3}, {0.4, 0.1, 0.2}};
  EXPECT_NEAR(dot(left(near, any) - any.at(near), off), 0, 1e-12);
  EXPECT_NEAR(dot(left(centre + off, any) - any.at(centre + off), off), 0, 1e-12);
  EXPECT_GT(length(left(near, any)), 0.1);
}

TEST(Shape, RefusesNestingBeyondItsStack) {
  // Right-leaning nesting needs one more value a level.
  Shape s = Shape::sphere({}, 1);
  EXPECT_ANY_THROW(for (int i = 0; i < 40; ++i) s = Shape::unite(Shape::sphere({}, 1), s));
}

TEST(Shape, GrowsByADistanceOnEverySide) {
  const Shape box = Shape::box({0, 0, 0}, {1, 2, 3}), more = box.grown(0.1);
  EXPECT_NEAR(more.distance({1.5, 1, 1}), 0.4, 1e-12);
  EXPECT_NEAR(more.distance({0.5, 1, 0.05}), -0.15, 1e-12);
  EXPECT_NEAR(more.distance({1.3, 2.4, 1}), 0.4, 1e-12) << "round an edge";
  EXPECT_NEAR(length(more.bounds().lowest - Vec3d{-0.1, -0.1, -0.1}), 0, 1e-12);
  EXPECT_NEAR(length(more.bounds().highest - Vec3d{1.1, 2.1, 3.1}), 0, 1e-12);
  // Scaled with all the rest; what is cut out of it shrinks; each part of a union grows.
  EXPECT_NEAR(more.transformed({{}, {}, 2}).distance({3, 2, 2}), 0.8, 1e-12);
  const Shape shell = Shape::subtract(Shape::sphere({0, 0, 0}, 1), Shape::sphere({0, 0, 0}, 0.9)).grown(0.05);
  EXPECT_NEAR(shell.distance({0.8, 0, 0}), 0.05, 1e-12);
  EXPECT_NEAR(shell.distance({1.2, 0, 0}), 0.15, 1e-12);
  const Shape two = Shape::unite(box, Shape::sphere({5, 0, 0}, 1)).grown(0.1);
  ASSERT_EQ(two.united_parts().size(), 2u);
  EXPECT_NEAR(two.united_parts()[1].distance({7, 0, 0}), 0.9, 1e-12);
  EXPECT_NEAR(Shape::intersect(two, more).distance({1.5, 1, 1}), 0.4, 1e-12) << "within a larger recipe";
}

}  // namespace
}  // namespace silt

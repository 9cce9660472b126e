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

TEST(Shape, RefusesNestingBeyondItsStack) {
  // Right-leaning nesting needs one more value a level.
  Shape s = Shape::sphere({}, 1);
  EXPECT_ANY_THROW(for (int i = 0; i < 40; ++i) s = Shape::unite(Shape::sphere({}, 1), s));
}

}  // namespace
}  // namespace silt

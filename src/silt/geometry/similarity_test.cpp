#include "silt/geometry/similarity.h"

#include <gtest/gtest.h>

namespace silt {
namespace {

constexpr double pi = 3.14159265358979323846;

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance = 1e-14) {
  EXPECT_LT(length(a - b), tolerance) << a << " " << b;
}

TEST(Mat3, RotationsTurnRightHanded) {
  expect_near(rotation_about({0, 0, 3}, pi / 2) * Vec3d{1, 0, 0}, {0, 1, 0});
  expect_near(rotation_about({1, 0, 0}, pi / 2) * Vec3d{0, 1, 0}, {0, 0, 1});
  expect_near(rotation_about({0, 1, 0}, pi / 2) * Vec3d{0, 0, 1}, {1, 0, 0});
  expect_near(rotation_about({1, 1, 1}, 2 * pi / 3) * Vec3d{1, 2, 3}, {3, 1, 2});
  EXPECT_EQ(rotation_about({}, 1), Mat3d{});
}

TEST(Mat3, EulerTurnsAboutXThenYThenZ) {
  const Vec3d degrees{20, -35, 110};
  const Mat3d by_hand =
      rotation_about({0, 0, 1}, degrees.z * pi / 180) *
      (rotation_about({0, 1, 0}, degrees.y * pi / 180) * rotation_about({1, 0, 0}, degrees.x * pi / 180));
  for (int row = 0; row < 3; ++row) expect_near(euler_xyz(degrees)[row], by_hand[row]);
}

TEST(Mat3, QuarterTurnsAreExact) {
  EXPECT_EQ(euler_xyz({0, 0, 90}) * (Vec3d{3, 5, 7}), (Vec3d{-5, 3, 7}));
  EXPECT_EQ(euler_xyz({-90, 0, 0}) * (Vec3d{3, 5, 7}), (Vec3d{3, 7, -5}));
  EXPECT_EQ(euler_xyz({0, 540, 0}) * (Vec3d{3, 5, 7}), (Vec3d{-3, 5, -7}));
}

TEST(Mat3, RotationFromZTakesZThere) {
  for (const Vec3d& v : {Vec3d{0, 0, 2}, Vec3d{0, 0, -1}, Vec3d{1, 0, 0}, Vec3d{0, -3, 0}, Vec3d{1, -2, 0.5}}) {
    const Mat3d r = rotation_from_z(v);
    expect_near(r * Vec3d{0, 0, 1}, normalized(v));
    expect_near(cross(r * Vec3d{1, 0, 0}, r * Vec3d{0, 1, 0}), normalized(v));  // no mirror
  }
  EXPECT_EQ(rotation_from_z({0, 0, 5}), Mat3d{});
}

TEST(Similarity, ComposesAndGoesBack) {
  const Similarity a{euler_xyz({10, 20, 30}), {1, 2, 3}, 2}, b{euler_xyz({-70, 5, 100}), {-1, 0, 4}, 0.3};
  const Vec3d x{0.3, -2, 1.1};
  expect_near((a * b)(x), a(b(x)));
  expect_near(a.back(a(x)), x);
  expect_near(inverse(a)(a(x)), x);
}

}  // namespace
}  // namespace silt

#include "silt/geometry/motion.h"

#include <gtest/gtest.h>

namespace silt {
namespace {

Motion everything_at_once(Between between) {
  Motion m;
  m.pivot = {0.2, -0.1, 0.4};
  m.position = Animated<Vec3d>({{0.0, {0, 0, 0}}, {1.0, {1, 2, -1}}, {3.0, {0, 1, 1}}}, between);
  m.rotation = Animated<Vec3d>({{0.0, {10, 20, 30}}, {1.5, {200, -50, 90}}, {3.0, {20, 80, -300}}}, between);
  m.spin = Animated<double>({{0.0, 100}, {2.0, 700}}, between);
  m.spin_axis = {1, 2, -0.5};
  return m;
}

// The velocity is the derivative of the place, of every point at once: for keys of any kind, turns and spin together.
TEST(Motion, VelocityIsTheDerivativeOfThePlace) {
  for (Between between : {Between::linear, Between::smooth}) {
    const Motion m = everything_at_once(between);
    for (double t : {0.3, 0.9, 1.7, 2.5}) {
      const double e = 1e-5;
      const Pose before = m.at(t - e), now = m.at(t), after = m.at(t + e);
      for (const Vec3d& x : {Vec3d{0, 0, 0}, Vec3d{1, -2, 3}, Vec3d{-4, 0.5, 0.1}}) {
        const Vec3d moved = (after.place(x) - before.place(x)) / (2 * e);
        EXPECT_LT(length(now.velocity.at(now.place(x)) - moved), 1e-4 * (1 + length(moved))) << t << ' ' << x;
      }
    }
  }
}

TEST(Motion, PivotIsCarriedAndDoesNotTurn) {
  const Motion m = everything_at_once(Between::smooth);
  for (double t : {0.0, 0.7, 2.2}) EXPECT_LT(length(m.at(t).place(m.pivot) - (m.pivot + m.position(t))), 1e-12);
}

// A constant spin of 90 degrees a second has made a quarter turn after one second, from t = 0 on.
TEST(Motion, SpinIsIntegrated) {
  Motion m;
  m.spin = 90.0;
  EXPECT_LT(length(m.at(1).place({1, 0, 0}) - Vec3d{0, 1, 0}), 1e-12);
  EXPECT_TRUE(m.turns());
  EXPECT_FALSE(m.still());
  EXPECT_TRUE(Motion{}.still());
}

}  // namespace
}  // namespace silt

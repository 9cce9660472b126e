#include "silt/geometry/contour.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "silt/geometry/mesh_measures.h"

namespace silt {
namespace {

constexpr double pi = 3.14159265358979323846;

TEST(Contour, OfABallHoldsItsVolume) {
  const Shape ball = Shape::sphere({0.3, -0.2, 0.1}, 0.5);
  double before = 0;
  for (const int n : {16, 32, 64}) {
    const TriangleMesh m = contour(ball, ball.bounds(), 1.0 / n);
    EXPECT_TRUE(is_closed(m));
    const double error = std::abs(enclosed_volume(m) / (pi / 6) - 1);
    EXPECT_LT(error, 13.0 / (n * n));
    if (before > 0) {
      EXPECT_LT(error, before / 3) << "second order";
    }
    before = error;
  }
}

// A box that lies across the cubes keeps its edges: without the tangent planes they would be cut off by a part of a
// cube, and a hundredth of the volume with them.
TEST(Contour, KeepsEdgesSharp) {
  const Mat3d turn = rotation_from_z(normalized(Vec3d{1, 2, 3}));
  const Shape box = Shape::box({-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}).transformed({turn, {0.1, 0.2, 0.3}, 1});
  const TriangleMesh m = contour(box, box.bounds(), 0.05);
  EXPECT_TRUE(is_closed(m));
  EXPECT_NEAR(enclosed_volume(m), 1.0 * 0.8 * 0.6, 1e-3 * 0.48);
  double nearest = 1;
  const Vec3d corner = turn * Vec3d{0.5, 0.4, 0.3} + Vec3d{0.1, 0.2, 0.3};
  for (const Vec3d& v : m.vertices) nearest = std::min(nearest, length(v - corner));
  EXPECT_LT(nearest, 0.02 * 0.05);
}

TEST(Contour, LooksOutward) {
  const Shape bowl = Shape::subtract(Shape::sphere({0, 0, 0}, 1), Shape::sphere({0, 0, 0.6}, 0.8));
  const TriangleMesh m = contour(bowl, bowl.bounds(), 0.05);
  ASSERT_TRUE(is_closed(m));
  for (const Int3& t : m.triangles) {
    const Vec3d a = m.vertices[t.x], b = m.vertices[t.y], c = m.vertices[t.z];
    const Vec3d area = cross(b - a, c - a);
    if (length(area) < 1e-6) continue;
    const Vec3d middle = (a + b + c) / 3.0, out = normalized(area) * 0.01;
    if (std::abs(bowl.distance(middle)) > 0.002) continue;  // it cuts across the rim
    EXPECT_GT(bowl.distance(middle + out), bowl.distance(middle - out));
  }
}

}  // namespace
}  // namespace silt

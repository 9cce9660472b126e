#include "silt/fields/solid_mesh.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/fields/test_tools.h"

namespace silt {
namespace {

Domain tank() {
  Domain d;
  d.lattice.h = 0.1;
  d.cells = {{0, 0, 0}, {10, 10, 10}};
  return d;
}

// Each corner of a box belongs to three flat sides: without the crease it would be one vertex, shaded round.
TEST(SolidMesh, ABoxHasFlatSides) {
  const Mesh m = solid_mesh(Shape::box({0.2, 0.2, 0.2}, {0.6, 0.5, 0.4}), tank());
  EXPECT_EQ(m.triangles.size(), 12u);
  EXPECT_EQ(m.positions.size(), 24u);
  for (const Int3& t : m.triangles) {
    const Vec3f side = normalized(cross(m.positions[t.y] - m.positions[t.x], m.positions[t.z] - m.positions[t.x]));
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(dot(side, m.normals[t[c]]), 1, 1e-6);
  }
}

TEST(SolidMesh, ABallIsSmooth) {
  const Vec3f centre{0.5f, 0.5f, 0.5f};
  const Mesh m = solid_mesh(Shape::sphere({0.5, 0.5, 0.5}, 0.3), tank());
  EXPECT_EQ(m.positions.size(), 2u + 96 * 47);  // none twice
  for (std::size_t i = 0; i < m.positions.size(); ++i)
    EXPECT_GT(dot(m.normals[i], normalized(m.positions[i] - centre)), 0.9999f);
}

TEST(SolidMesh, ACylinderHasTwoEdges) {
  const Mesh m = solid_mesh(Shape::cylinder({0.5, 0.5, 0}, {0.5, 0.5, 1}, 0.2), tank());
  EXPECT_EQ(m.positions.size(), 2u + 4 * 96);
}

TEST(SolidMesh, APlaneEndsOutsideTheDomain) {
  const Mesh m = solid_mesh(Shape::plane({0.5, 0.5, 0.25}, {0, 0, 1}), tank());
  ASSERT_FALSE(m.positions.empty());
  float least = 1, most = 0;
  for (const Vec3f& x : m.positions) least = std::min(least, x.x), most = std::max(most, x.x);
  EXPECT_NEAR(least, -0.02, 1e-6);
  EXPECT_NEAR(most, 1.02, 1e-6);
}

}  // namespace
}  // namespace silt

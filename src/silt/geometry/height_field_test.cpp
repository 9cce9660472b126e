#include "silt/geometry/height_field.h"

#include <gtest/gtest.h>

#include "silt/geometry/mesh_repair.h"
#include "silt/geometry/shape.h"

namespace silt {
namespace {

Shape shape_of(const TriangleMesh& mesh) {
  const RepairedMesh r = repair_mesh(mesh);
  EXPECT_EQ(r.report.text(), "") << "closed, and facing outwards as it is";
  EXPECT_TRUE(r.report.simple);
  return Shape::mesh(std::make_shared<const MeshData>(r.mesh, MeshSides{.closed = true, .simple = true}));
}

// A slope: z rises from 0 at x = 0 to 1 at x = 2, a plane whose distances are known.
TEST(HeightField, ASlopeIsAPlane) {
  HeightField field{5, 4, {}};
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 5; ++c) field.heights.push_back(float(c) / 4);
  const Shape shape = shape_of(height_field_mesh(field, {0, 0, 0}, {2, 3, 1}, 0.5));
  const Shape slope = Shape::plane({0, 0, 0}, {-1, 0, 2});
  for (const Vec3d& x : {Vec3d{1, 1.5, 0.6}, Vec3d{0.8, 1, 0.9}, Vec3d{1.2, 2, 0.5}, Vec3d{1, 1.5, 0.3}})
    EXPECT_NEAR(shape.distance(x), slope.distance(x), 1e-12) << x;
  EXPECT_NEAR(shape.distance({1, 1.5, -0.4}), -0.1, 1e-12) << "the ground ends";
  EXPECT_NEAR(shape.distance({-0.25, 1.5, -0.2}), 0.25, 1e-12);
  EXPECT_EQ(shape.bounds().lowest, (Vec3d{0, 0, -0.5}));
  EXPECT_EQ(shape.bounds().highest, (Vec3d{2, 3, 1}));
}

TEST(HeightField, TheFirstRowIsTheFarthest) {
  const HeightField field{2, 2, {1, 1, 0, 0}};
  const Shape shape = shape_of(height_field_mesh(field, {0, 0, 0}, {1, 1, 1}, 0.1));
  EXPECT_LT(shape.distance({0.5, 0.95, 0.8}), 0);
  EXPECT_GT(shape.distance({0.5, 0.05, 0.3}), 0);
}

TEST(HeightField, AveragesAndMiddleRow) {
  const HeightField field{3, 3, {0, 1, 2, 3, 4, 5, 6, 7, 8}};
  const HeightField half = averaged(field, 2);
  EXPECT_EQ(half.columns, 2);
  EXPECT_EQ(half.rows, 2);
  EXPECT_EQ(half.heights, (std::vector<float>{2, 3.5f, 6.5f, 8}));
  EXPECT_EQ(middle_row(field).heights, (std::vector<float>{3, 4, 5}));
}

}  // namespace
}  // namespace silt

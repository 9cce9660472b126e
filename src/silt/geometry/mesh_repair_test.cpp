#include "silt/geometry/mesh_repair.h"

#include <gtest/gtest.h>

#include "silt/core/error.h"
#include "silt/geometry/damaged_meshes.h"
#include "silt/geometry/mesh_clean.h"

namespace silt {
namespace {

Shape shape_of(const RepairedMesh& r) {
  return Shape::mesh(
      std::make_shared<const MeshData>(r.mesh, MeshSides{.closed = r.report.closed, .simple = r.report.simple}));
}

class DamagedMeshes : public testing::TestWithParam<unsigned> {};

// Five hundred of them.
TEST_P(DamagedMeshes, AreToldInFromOut) {
  int wrong = 0;
  for (unsigned number = 100 * GetParam(); number < 100 * GetParam() + 100; ++number) {
    const DamagedMesh damaged = damaged_mesh(number);
    const RepairedMesh repaired = repair_mesh(damaged.mesh);
    const int here = wrong_sides(damaged, shape_of(repaired), 0.06, 100);
    EXPECT_EQ(here, 0) << number << ": " << damaged.damage << "; found " << repaired.report.text();
    wrong += here;
    const MeshReport& r = repaired.report;
    EXPECT_EQ(r.duplicate_vertices > 0, damaged.duplicated > 0) << number << damaged.damage;
    EXPECT_EQ(r.holes > 0, damaged.holes > 0) << number << damaged.damage;
    EXPECT_EQ(r.self_intersections > 0, damaged.crossing > 0) << number << damaged.damage;
    if (damaged.crossing == 0 && damaged.holes == 0) {
      EXPECT_TRUE(r.simple) << number << damaged.damage;
      EXPECT_EQ(r.flipped_triangles > 0, damaged.flipped > 0) << number << damaged.damage;
    }
  }
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(AHundredEach, DamagedMeshes, testing::Range(0u, 5u));

TEST(MeshRepair, CountsWhatItFinds) {
  TriangleMesh mesh = ball_mesh({}, 1, 2);
  const std::size_t whole = mesh.triangles.size();
  EXPECT_EQ(repair_mesh(mesh).report.text(), "");
  mesh.triangles.pop_back();
  std::swap(mesh.triangles[10].x, mesh.triangles[10].y);
  std::swap(mesh.triangles[90].x, mesh.triangles[90].y);
  mesh.vertices.push_back(mesh.vertices[mesh.triangles[20].x]);
  mesh.triangles[20].x = int(mesh.vertices.size()) - 1;
  mesh.triangles.push_back(mesh.triangles[30]);
  mesh.triangles.push_back({5, 5, 7});
  const RepairedMesh r = repair_mesh(mesh);
  EXPECT_EQ(r.report.text(),
            "1 hole (3 edges), 2 flipped faces, 1 duplicate vertex, 1 duplicate face, 1 face without area");
  EXPECT_EQ(r.mesh.triangles.size(), whole - 1);
  EXPECT_FALSE(r.report.sheet());
}

TEST(MeshRepair, AMeshInsideOutIsTurned) {
  TriangleMesh mesh = ball_mesh({0.3, 0, 0}, 0.5, 2);
  for (Int3& t : mesh.triangles) std::swap(t.y, t.z);
  const RepairedMesh r = repair_mesh(mesh);
  EXPECT_EQ(r.report.flipped_triangles, int(mesh.triangles.size()));
  EXPECT_LT(shape_of(r).distance({0.3, 0, 0}), -0.4);
}

// Two halves with a crack between them wider than vertices are merged over, one of them inside out.
TEST(MeshRepair, ACrackedMeshIsTurnedByRays) {
  TriangleMesh mesh = ball_mesh({}, 0.7, 3), other;
  const TriangleMesh whole = mesh;
  const auto upper = [&](const Int3& t) {
    return whole.vertices[t.x].z + whole.vertices[t.y].z + whole.vertices[t.z].z > 0.05;
  };
  other = mesh;
  std::erase_if(mesh.triangles, upper);
  std::erase_if(other.triangles, [&](const Int3& t) { return !upper(t); });
  for (Int3& t : other.triangles) std::swap(t.x, t.y);
  for (Vec3d& v : other.vertices) v.z += 1e-5;
  const RepairedMesh r = repair_mesh(together(mesh, other));
  EXPECT_EQ(r.report.flipped_triangles, int(other.triangles.size()));
  const DamagedMesh exact{{}, Shape::sphere({}, 0.7), {}};
  EXPECT_EQ(wrong_sides(exact, shape_of(r), 0.03, 500), 0);
}

// The side that two boxes share is in both, facing opposite ways: it is no surface.
TEST(MeshRepair, AWallBetweenTwoSolidsIsTakenOut) {
  const RepairedMesh r = repair_mesh(
      together(box_mesh({-0.5, -0.5, -0.5}, {0, 0.5, 0.5}, 4), box_mesh({0, -0.5, -0.5}, {0.5, 0.5, 0.5}, 4)));
  EXPECT_EQ(r.report.duplicate_triangles, 2 * 2 * 16);
  EXPECT_TRUE(r.report.simple);
  EXPECT_NEAR(shape_of(r).distance({0, 0, 0}), -0.5, 1e-12);
}

TEST(MeshRepair, ACopyThatFacesTheOtherWayLeavesTheSurfaceWhole) {
  TriangleMesh mesh = ball_mesh({}, 0.7, 2);
  mesh.triangles.push_back({mesh.triangles[7].x, mesh.triangles[7].z, mesh.triangles[7].y});
  const RepairedMesh r = repair_mesh(mesh);
  EXPECT_EQ(r.report.duplicate_triangles, 1);
  EXPECT_TRUE(r.report.simple);
}

TEST(MeshRepair, TellsASheetFromASolidWithHoles) {
  TriangleMesh open_box = box_mesh({0, 0, 0}, {1, 1, 1}, 6);
  EXPECT_FALSE(repair_mesh(open_box).report.sheet());
  std::erase_if(open_box.triangles, [&](const Int3& t) {
    return open_box.vertices[t.x].z == 1 && open_box.vertices[t.y].z == 1 && open_box.vertices[t.z].z == 1;
  });
  const MeshReport report = repair_mesh(open_box).report;
  EXPECT_NEAR(report.open_fraction, 0.2, 1e-9);
  EXPECT_TRUE(report.sheet());
  EXPECT_EQ(report.holes, 1);
  EXPECT_EQ(report.open_edges, 24);
}

TEST(MeshRepair, NothingIsAnError) {
  EXPECT_THROW(repair_mesh({}), InputError);
  TriangleMesh line;
  line.vertices = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
  line.triangles = {{0, 1, 2}};
  EXPECT_THROW(repair_mesh(line), InputError);
}

// Triangles that all have an edge in common are all in each other's boxes: their pairs are not all looked at.
TEST(MeshRepair, WorkHasALimit) {
  TriangleMesh fan;
  fan.vertices = {{0, 0, 0}, {0, 0, 1}};
  constexpr int blades = 10000;
  for (int i = 0; i < blades; ++i) {
    const double a = 2 * 3.14159265358979 * i / blades;
    fan.vertices.push_back({std::cos(a), std::sin(a), 0.5});
    fan.triangles.push_back({0, 1, i + 2});
  }
  const MeshReport report = repair_mesh(fan).report;
  EXPECT_FALSE(report.all_looked_at);
  EXPECT_GT(report.unjudged, blades / 2);
  EXPECT_NE(report.text().find("loose parts that face as they came"), std::string::npos) << report.text();
  const MeshReport ball = repair_mesh(ball_mesh({0, 0, 0}, 1, 5)).report;
  EXPECT_TRUE(ball.simple && ball.all_looked_at && ball.unjudged == 0);
}

// Vertices that nearly stand in one place, beside one far away, are not all compared with each other.
TEST(MeshRepair, CrowdsOfVerticesAreToldApart) {
  TriangleMesh mesh;
  for (int i = 0; i < 300; ++i)
    for (int j = 0; j < 300; ++j) mesh.vertices.push_back({i * 2e-8, j * 2e-8, 0});
  for (int i = 0; i + 2 < 300 * 300; i += 3) mesh.triangles.push_back({i, i + 1, i + 2});
  mesh.vertices.push_back({1, 1, 1});
  mesh.triangles.push_back({0, 301, 300 * 300});
  const MeshSurplus surplus(mesh);
  for (int v = 0; v < 300 * 300; ++v) ASSERT_EQ(surplus.stands_with()[v], v);
}

}  // namespace
}  // namespace silt

#include "silt/render/stage_geometry.h"

#include <gtest/gtest.h>

#include "silt/render/synthetic_frames.h"

namespace silt {
namespace {

/// A pool that fills the lower half of a unit cube, as meshes of level sets are: its edges cut off a little, the
/// normals of corners turned half way round them.
Frame meshed_pool() {
  Frame frame = synthetic::empty_frame({16, 16, 16}, 1.0 / 16);
  Mesh& mesh = frame.meshes.emplace_back();
  mesh.material = "water";
  constexpr float cut = 0.4f / 16;
  const auto ring = [&](float inset, float z, float up) {
    for (const auto& [x, y] : {std::pair{-1.0f, -1.0f}, {1.0f, -1.0f}, {1.0f, 1.0f}, {-1.0f, 1.0f}}) {
      mesh.positions.push_back({0.5f + x * (0.5f - inset), 0.5f + y * (0.5f - inset), z});
      mesh.normals.push_back(normalized(Vec3f{x, y, up}));
    }
  };
  ring(cut, 0, -1), ring(0, cut, 0), ring(0, 0.5f - cut, 0.7f), ring(cut, 0.5f, 0.7f);
  for (int level = 0; level < 3; ++level)
    for (int i = 0; i < 4; ++i) {
      const int a = 4 * level + i, b = 4 * level + (i + 1) % 4, c = a + 4, d = b + 4;
      mesh.triangles.push_back({a, b, d}), mesh.triangles.push_back({a, d, c});
    }
  mesh.triangles.insert(mesh.triangles.end(), {{12, 13, 14}, {12, 14, 15}, {0, 2, 1}, {0, 3, 2}});
  return frame;
}

// Beside a wall the water's surface stands upright on it, and the wall's face is flat to its very edge.
TEST(StageGeometry, WaterMeetsWallsAtARightAngle) {
  const Frame frame = meshed_pool();
  const StageGeometry geometry(frame, {}, 0, true, Exec(Device::cpu, 1));
  const auto normal_at = [&](const Vec3f& from, const Vec3f& to) {
    const Hit hit = geometry.nearest({from, normalized(to - from)}, false);
    EXPECT_EQ(hit.what, Hit::What::water);
    return hit.normal;
  };
  for (const float z : {1.0f, 4.0f, 7.5f}) {
    const Vec3f n = normal_at({8, -20, 12}, {8, 0, z});
    EXPECT_NEAR(n.y, -1, 1e-5) << z;
  }
  for (const float y : {0.41f, 0.45f, 0.49f}) {
    const Vec3f n = normal_at({8, -20, 40}, {8, y, 8});
    EXPECT_NEAR(n.y, 0, 1e-5) << y;
    EXPECT_GT(n.z, 0.9f) << y;
  }
  const Vec3f edge = normal_at({8, -20, 20}, {8, 0.2f, 7.8f});  // where it is cut off
  EXPECT_NEAR(std::abs(edge.y) > 0.5f ? -edge.y : edge.z, 1, 0.01);
}

// A puddle's top looks up, however near the floor it is: only what turns to a wall is turned.
TEST(StageGeometry, ThinWaterKeepsItsSlope) {
  Frame frame = synthetic::empty_frame({16, 16, 16}, 1);
  Mesh& mesh = frame.meshes.emplace_back();
  mesh.material = "water";
  for (const auto& [x, y] : {std::pair{4.0f, 4.0f}, {12.0f, 4.0f}, {12.0f, 12.0f}, {4.0f, 12.0f}})
    mesh.positions.push_back({x, y, 0.6f}), mesh.normals.push_back(normalized(Vec3f{0.087f, 0, 0.996f}));
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  const StageGeometry geometry(frame, {}, 0, true, Exec(Device::cpu, 1));
  const Hit hit = geometry.nearest({{8, 8, 10}, {0, 0, -1}}, false);
  ASSERT_EQ(hit.what, Hit::What::water);
  EXPECT_NEAR(hit.normal.x, 0.087, 1e-3);
  EXPECT_NEAR(hit.normal.z, 0.996, 1e-3);
}

}  // namespace
}  // namespace silt

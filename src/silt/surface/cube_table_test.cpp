#include "silt/surface/cube_table.h"

#include <gtest/gtest.h>

#include "silt/core/random.h"
#include "silt/surface/block_mesh.h"
#include "silt/surface/test_tools.h"

namespace silt {
namespace {

TEST(CubeTable, OneCornerIsOneTriangleFacingAwayFromIt) {
  const auto& triangles = CubeTable::get().triangles[1];
  ASSERT_EQ(triangles.size(), 1u);
  // Edges along x, y, z from corner 0: anticlockwise from outside.
  std::array<std::uint8_t, 3> t = triangles[0];
  std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
  EXPECT_EQ(t, (std::array<std::uint8_t, 3>{0, 4, 8}));
}

// Every sign pattern there is, next to every other: noise of random signs on several blocks. No smooth test meets the
// ambiguous cases.
TEST(CubeTable, NoiseHasAClosedManifoldSurface) {
  BlockField field;
  field.lattice = {{0, 0, 0}, 1, {1, 1, 1}};
  for (int z = 0; z < 3; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 3; ++x) {
        field.at.push_back({x, y, z});
        for (int v = 0; v < BlockField::volume; ++v) {
          const Int3 at = Int3{x, y, z} * 8 + Int3{v % 8, v / 8 % 8, v / 64};
          const bool rim = at.x == 0 || at.y == 0 || at.z == 0 || at.x == 23 || at.y == 23 || at.z == 23;
          const double value = random_unit(3, std::uint64_t((at.z * 24 + at.y) * 24 + at.x), 0) - 0.5;
          field.values.push_back(rim ? 1.0f : float(value));
        }
      }
  const Exec exec(Device::cpu, 2);
  field.link(exec);
  const Mesh mesh = mesh_of(exec, field);
  EXPECT_GT(mesh.triangles.size(), 20000u);
  EXPECT_EQ(test::bad_edges(mesh), 0);
}

}  // namespace
}  // namespace silt

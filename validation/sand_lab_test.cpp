#include "validation/sand_lab.h"

#include <gtest/gtest.h>

#include <cmath>

namespace silt::validation {
namespace {

/// Particles two to a cell along every axis where `inside` says so, in cells of a tenth of a metre.
template <class Inside>
Frame make_frame(Int3 cells, const Inside& inside) {
  Frame frame;
  const bool flat = cells.z == 1;
  frame.domain.lattice = {{0, 0, 0}, 0.1, {1, 1, flat ? 0 : 1}};
  frame.domain.cells = {{0, 0, 0}, cells};
  Points points;
  for (int k = 0; k < (flat ? 1 : 2 * cells.z); ++k)
    for (int j = 0; j < 2 * cells.y; ++j)
      for (int i = 0; i < 2 * cells.x; ++i) {
        const Vec3d at{0.05 * (i + 0.5), 0.05 * (j + 0.5), flat ? 0 : 0.05 * (k + 0.5)};
        if (inside(at)) points.positions.push_back(at);
      }
  frame.points.push_back(points);
  return frame;
}

TEST(SandProfile, FindsDepthAndFrontOfAWedge) {
  const SandProfile wedge(make_frame({40, 20, 1}, [](const Vec3d& at) { return at.y < 1 - 0.5 * at.x; }));
  EXPECT_NEAR(wedge.depth(0.5, 1.5), 0.5, 0.02);
  EXPECT_NEAR(wedge.front(0.05), 1.9, 0.1);
}

// A particle of its own beyond the heap is not its front.
TEST(SandProfile, PassesOverSingleGrains) {
  const SandProfile wedge(make_frame(
      {40, 20, 1}, [](const Vec3d& at) { return at.y < 1 - 0.5 * at.x || (at.y < 0.05 && at.x > 3 && at.x < 3.05); }));
  EXPECT_NEAR(wedge.front(0.05), 1.9, 0.1);
}

TEST(SandFoot, TellsARoundFootFromASquareOne) {
  const auto radii = [](const auto& inside) { return SandFoot(make_frame({40, 40, 6}, inside), 2, 2, 16).radii(0.1); };
  const std::vector<double> disc =
      radii([](const Vec3d& at) { return at.z < 0.4 && std::hypot(at.x - 2, at.y - 2) < 1.5; });
  EXPECT_NEAR(mean(disc), 1.5, 0.1);
  EXPECT_LT(unevenness(disc), 0.04);
  const std::vector<double> square =
      radii([](const Vec3d& at) { return at.z < 0.4 && std::abs(at.x - 2) < 1.3 && std::abs(at.y - 2) < 1.3; });
  EXPECT_GT(unevenness(square), 0.1);
}

// Cells near the surface are partly empty, and count for nothing.
TEST(SandLab, FullnessIsOfCellsWithinTheSand) {
  Frame frame = make_frame({12, 12, 1}, [](const Vec3d&) { return false; });
  Volume packing{"sand", "packing", Volume::Kind::fog, "", frame.domain.cells, 0, {}};
  for (int j = 0; j < 12; ++j)
    for (int i = 0; i < 12; ++i)
      packing.values.push_back(j < 8 ? (i == 5 && j == 2 ? 1.2f : 1.0f) : j == 8 ? 0.5f : 0.0f);
  frame.volumes.push_back(packing);
  const Fullness full = fullness_within(frame);
  EXPECT_EQ(full.cells, 12 * 6);
  EXPECT_NEAR(full.largest, 1.2, 1e-6);
  EXPECT_NEAR(full.mean, 1 + 0.2 / 72, 1e-6);
}

}  // namespace
}  // namespace silt::validation

#include "validation/water_lab.h"

#include <gtest/gtest.h>

#include <cmath>

namespace silt::validation {
namespace {

/// A frame of 40 x 20 cells of a tenth of a metre that begins at (1, -2), its surface a level set in two boxes.
template <class Phi>
Frame make_frame(const Phi& phi) {
  Frame frame;
  frame.domain.lattice = {{1, -2, 0}, 0.1, {1, 1, 0}};
  frame.domain.cells = {{0, 0, 0}, {40, 20, 1}};
  for (const Box& cells : {Box{{0, 0, 0}, {16, 20, 1}}, Box{{16, 0, 0}, {44, 12, 1}}}) {
    Volume v{"water", "surface", Volume::Kind::level_set, "m", cells, 0.3f, {}};
    for (int j = cells.lo.y; j < cells.hi.y; ++j)
      for (int i = cells.lo.x; i < cells.hi.x; ++i) v.values.push_back(float(phi(0.1 * (i + 0.5), 0.1 * (j + 0.5))));
    frame.volumes.push_back(v);
  }
  return frame;
}

// x and y from the domain's lower corner; the surface falls by a tenth of x.
TEST(WaterSurface, ReadsASlopeExactly) {
  const WaterSurface surface(make_frame([](double x, double y) { return y - 0.93 + 0.1 * x; }));
  for (const double x : {0.06, 0.1, 1.23, 1.6, 3.9}) EXPECT_NEAR(surface.height(1 + x), 0.93 - 0.1 * x, 1e-6) << x;
  EXPECT_NEAR(surface.mean_height(), 0.73, 1e-6);
  EXPECT_NEAR(surface.reach(0.7, 0.3), 2.3, 1e-6);
  EXPECT_NEAR(surface.lean(), 0.2 * 8 / (3.14159265 * 3.14159265), 1e-3);
}

TEST(WaterSurface, FindsTheFrontOnTheFloorAndNoDropsAboveIt) {
  const auto pool = [](double x, double y) { return std::max(x - 2.34, y - 0.4); };
  const WaterSurface surface(
      make_frame([&](double x, double y) { return std::min(pool(x, y), std::hypot(x - 1, y - 0.8) - 0.2); }));
  EXPECT_NEAR(surface.front(), 2.34, 1e-6);
  EXPECT_NEAR(surface.height(2), 0.4, 1e-6);
  EXPECT_EQ(surface.height(1 + 3), 0);
}

TEST(ZeroCrossings, AreFoundInBothDirections) {
  EXPECT_EQ(zero_crossings({0, 1, 2, 3}, {1, -1, -2, 2}), (std::vector<double>{0.5, 2.5}));
}

TEST(LinearAt, IsNothingBeyondTheSamples) {
  EXPECT_EQ(linear_at({0, 2, 3}, {1, 5, 0}, 1), 3);
  EXPECT_TRUE(std::isnan(linear_at({0, 2, 3}, {1, 5, 0}, 3.1)));
}

}  // namespace
}  // namespace silt::validation

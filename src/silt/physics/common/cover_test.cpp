#include "silt/physics/common/cover_amounts.h"

#include <gtest/gtest.h>

#include <numeric>

namespace silt {
namespace {

/// Amounts along x of a slab from x = 0.4 to 0.6 in a line of 100 cells, 1 m long.
std::vector<float> slab(double blur, double shift = 0) {
  Domain domain{{{}, 0.01, {1, 0, 0}}, Box{{}, {100, 1, 1}}, {}};
  domain.sides[0] = {Side::periodic, Side::periodic};
  std::vector<float> out(100);
  const Shape shape = Shape::box({0.4 + shift, -1, -1}, {0.6 + shift, 1, 1});
  for_each_cover(
      domain, &shape,
      [&](const Cover& cover) {
        const CoverAmounts got = cover_amounts(Exec(Device::cpu, 1), domain, domain.cells, cover, false);
        const float* amount = got.cells.amount.host();
        for (int x = got.cells.box.lo.x; x < got.cells.box.hi.x; ++x) out[std::size_t(x)] += *amount++;
      },
      blur);
  return out;
}

// An edge of 0.1 m is half as strong on the surface, ends smoothly at both of its ends, and holds as much as a sharp
// one; across periodic sides too.
TEST(Cover, BlurSpreadsTheEdge) {
  for (const double shift : {0.0, 0.38}) {
    const std::vector<float> sharp = slab(0, shift), soft = slab(0.1, shift);
    const auto at = [&](const std::vector<float>& all, int x) {
      return all[std::size_t(x + int(100 * shift + 0.5)) % 100];
    };
    EXPECT_EQ(at(sharp, 39), 0);
    EXPECT_EQ(at(sharp, 40), 1);
    EXPECT_EQ(at(soft, 34), 0);
    EXPECT_NEAR(at(soft, 35), 3 * 0.05 * 0.05 - 2 * 0.05 * 0.05 * 0.05, 1e-5);
    EXPECT_NEAR(0.5 * (at(soft, 39) + at(soft, 40)), 0.5, 1e-5);
    EXPECT_NEAR(at(soft, 63), 3 * 0.15 * 0.15 - 2 * 0.15 * 0.15 * 0.15, 1e-5);
    EXPECT_NEAR(at(soft, 45), 1, 1e-5);
    EXPECT_NEAR(std::accumulate(soft.begin(), soft.end(), 0.0), 20, 1e-4);
  }
}

}  // namespace
}  // namespace silt

#include "silt/render/bricks.h"

#include <gtest/gtest.h>

#include "silt/core/random.h"
#include "silt/render/directions.h"

namespace silt {
namespace {

const Exec exec(Device::cpu, 2);

Grid<float> lumps() {
  Grid<float> grid(Box{{-5, 3, 0}, {20, 30, 22}});
  const Box& b = grid.cells();
  for (int i = 0; i < 12; ++i) {
    const auto pick = [&](int axis) { return b.lo[axis] + int(random_unit(7, i, axis) * b.size()[axis]); };
    grid.at({pick(0), pick(1), pick(2)}) = float(1 + random_unit(7, i, 3));
  }
  return grid;
}

// Along any ray, the bricks that are visited follow one another, no value within reach is above what they say, and what
// is left out is empty.
TEST(Bricks, HoldTheLargestValueWithinReachAllAlongARay) {
  const Grid<float> grid = lumps();
  for (const int reach : {2, 7}) {
    const Bricks bricks(grid, 1e-3f, reach, exec);
    ASSERT_TRUE(bricks.any());
    const auto most_near = [&](const Vec3f& x) {
      float most = 0;
      const Box& b = grid.cells();
      for (int z = b.lo.z; z < b.hi.z; ++z)
        for (int y = b.lo.y; y < b.hi.y; ++y)
          for (int i = b.lo.x; i < b.hi.x; ++i) {
            const Vec3f d = Vec3f{float(i), float(y), float(z)} + Vec3f{0.5f, 0.5f, 0.5f} - x;
            const float off = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
            if (off < float(reach) - 0.5f) most = std::max(most, grid.at({i, y, z}));
          }
      return most;
    };
    for (int i = 0; i < 40; ++i) {
      const Vec3f from{-40, 10, float(i) * 0.6f};
      const Vec3f to{float(i % 7), 3 + 27 * float(random_unit(8, i, 0)), 22 * float(random_unit(8, i, 1))};
      const Vec3f d = i == 0 ? Vec3f{1, 0, 0} : normalized(to - from);
      const Span span = clip(bricks.cells(), from, d);
      if (span.t1 <= span.t0) continue;
      const Vec3f start = from + d * span.t0;
      float last = 0;
      const auto empty_until = [&](float t) {
        for (; last < t; last += 0.37f) EXPECT_EQ(most_near(start + d * last), 0) << i << ' ' << last;
      };
      bricks.walk(start, d, span.t1 - span.t0, [&](float t, float until, float most) {
        EXPECT_GE(t, last - 0.371f);
        empty_until(t - 1e-3f);
        for (float s = t + 1e-3f; s < until - 1e-3f; s += 0.37f) EXPECT_GE(most, most_near(start + d * s)) << i;
        last = until + 1e-3f;
        return true;
      });
      empty_until(span.t1 - span.t0 - 1e-3f);
    }
  }
}

TEST(Bricks, OfNothingAreNone) {
  EXPECT_FALSE(Bricks(Grid<float>(Box{{0, 0, 0}, {9, 9, 9}}), 1e-3f, 2, exec).any());
}

}  // namespace
}  // namespace silt

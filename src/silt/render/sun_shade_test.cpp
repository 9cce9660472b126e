#include "silt/render/sun_shade.h"

#include <gtest/gtest.h>

namespace silt {
namespace {

const Exec exec(Device::cpu, 2);

Grid<float> grid_of(Int3 n, const std::function<float(const Vec3f&)>& value) {
  Grid<float> grid(Box{{0, 0, 0}, n});
  for (int z = 0; z < n.z; ++z)
    for (int y = 0; y < n.y; ++y)
      for (int x = 0; x < n.x; ++x)
        grid.at({x, y, z}) = value(Vec3f{float(x), float(y), float(z)} + Vec3f{0.5f, 0.5f, 0.5f});
  return grid;
}

// A layer without an end: light is dimmed by the way to its top, whichever way up is.
TEST(SunShade, OfALayerIsByTheWayThroughIt) {
  constexpr float k = 0.05f;
  for (int axis = 0; axis < 3; ++axis)
    for (const float sign : {1.0f, -1.0f}) {
      Int3 n{120, 120, 120};
      n[axis] = 24;
      Vec3f to_sun{0.3f, 0.3f, 0.3f};
      to_sun[(axis + 1) % 3] = -0.5f, to_sun[axis] = sign;
      to_sun = normalized(to_sun);
      const SunShade shade(grid_of(n, [](const Vec3f&) { return k; }), to_sun, exec);
      for (const float depth : {0.5f, 3.0f, 11.0f, 23.5f}) {
        Vec3f x{60, 60, 60};
        x[axis] = sign > 0 ? float(n[axis]) - depth : depth;
        EXPECT_NEAR(shade.at(x, to_sun), std::exp(-k * depth / std::abs(to_sun[axis])), 2e-3) << axis << depth;
      }
    }
}

// Against a sum along the ray in small steps, within a ball of smoke, in its shadow and beside it.
TEST(SunShade, OfABallIsThatOfASumAlongTheRay) {
  const Vec3f centre{32, 32, 40}, to_sun = normalized(Vec3f{-0.45f, -0.42f, 1});
  const auto density = [&](const Vec3f& x) { return 0.15f * std::max(0.0f, 1 - length(x - centre) / 16); };
  const SunShade shade(grid_of({64, 64, 64}, density), to_sun, exec);
  for (const Vec3f x : {Vec3f{32, 32, 40}, Vec3f{36, 30, 32}, Vec3f{30, 33, 50}, Vec3f{44, 44, 8},
                        Vec3f{48.7f, 47.3f, 2}, Vec3f{10, 10, 10}, Vec3f{54, 52, -9}}) {
    float depth = 0;
    for (float t = 0.05f; t < 100; t += 0.1f) depth += 0.1f * density(x + to_sun * t);
    EXPECT_NEAR(shade.at(x, to_sun), std::exp(-depth), 0.02) << x;
  }
}

TEST(SunShade, WithoutSmokeThereIsNone) {
  EXPECT_EQ(SunShade().at({1, 2, 3}, {0, 0, 1}), 1);
  const SunShade thick(grid_of({8, 8, 8}, [](const Vec3f&) { return 100.0f; }), {0, 0, 1}, exec);
  EXPECT_EQ(thick.at({4, 4, 9}, {0, 0, 1}), 1) << "above it";
  EXPECT_EQ(thick.at({9, 4, 4}, {0, 0, 1}), 1) << "beside it";
  EXPECT_EQ(thick.at({4, 4, -9}, {0, 0, 1}), 0) << "below it";
}

}  // namespace
}  // namespace silt

#include "silt/render/march.h"

#include <gtest/gtest.h>

#include <numbers>

#include "silt/render/camera.h"
#include "silt/render/palette.h"
#include "silt/render/render.h"
#include "silt/render/smoke_light.h"
#include "silt/render/synthetic_frames.h"

namespace silt {
namespace {

const Exec exec(Device::cpu, 2);

/// Looks level along x at the middle of a unit cube, nearly parallel rays.
RenderParams level_view() {
  RenderParams params;
  params.camera = {
      .position = Vec3d{-30, 0.5, 0.5}, .target = Vec3d{0.5, 0.5, 0.5}, .field_of_view = 1, .width = 16, .height = 16};
  return params;
}

/// Only what is behind the smoke is seen, and that is white.
LookParams black_smoke(double density_scale) {
  LookParams look;
  look.density_scale = density_scale;
  look.smoke_colour = look.sun_colour = look.sky_colour = look.ground_colour = {0, 0, 0};
  look.background_top = look.background_bottom = {1, 1, 1};
  return look;
}

Frame slab(int n, double density) {
  Frame frame = synthetic::empty_frame({n, n, n}, 1.0 / n);
  synthetic::add_volume(frame, "density", Volume::Kind::fog, "", [=](const Vec3d&) { return density; });
  return frame;
}

RenderParams small(int width = 96) {
  RenderParams params;
  params.camera.width = width;
  return params;
}

template <class Visit>
void for_each_pixel(const Image& image, const Visit& visit) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) visit(x, y, image.at(x, y));
}

TEST(March, UniformSlabFollowsBeerLambert) {
  for (int n : {7, 16})
    for (double density : {0.1, 0.5, 2.0}) {
      RenderParams params = level_view();
      params.look = black_smoke(1.5);
      const Image image = march_frame(slab(n, density), params, exec);
      const double expected = std::exp(-1.5 * density);
      for_each_pixel(image, [&](int x, int y, Colour c) {
        EXPECT_NEAR(c.x, expected, 0.02 * expected) << n << ' ' << x << ' ' << y;
      });
    }
}

// Flames without smoke: the light along a ray is the integral of what they emit, in the colour of their temperature.
TEST(March, UniformFlameShinesByItsThickness) {
  RenderParams params = level_view();
  params.look = black_smoke(1);
  params.look.background_top = params.look.background_bottom = {0, 0, 0};
  params.look.flame_scale = 0.02;
  Frame frame = slab(16, 0);
  synthetic::add_volume(frame, "flame", Volume::Kind::fog, "1/s", [](const Vec3d&) { return 3.0; });
  synthetic::add_volume(frame, "temperature", Volume::Kind::fog, "K", [](const Vec3d&) { return 1500.0; });
  const Colour expected = black_body(1500) * float(0.02 * 3);
  for_each_pixel(march_frame(frame, params, exec), [&](int x, int y, Colour c) {
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(c[i], expected[i], 0.02 * expected[i]) << x << ' ' << y;
  });
}

// Thick smoke of two colours, side by side: each side is lit in its own.
TEST(March, SmokeHasItsOwnColour) {
  RenderParams params = level_view();
  params.look.density_scale = 100;
  Frame frame = slab(16, 1);
  Volume colour{"smoke", "colour", Volume::Kind::vector, "", frame.domain.cells, 0, {}};
  for (int z = 0; z < 16; ++z)
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x)
        for (float v : {y < 8 ? 0.8f : 0.0f, 0.0f, y < 8 ? 0.0f : 0.8f}) colour.values.push_back(v);
  frame.volumes.push_back(colour);
  const Image image = march_frame(frame, params, exec);
  int red = 0, blue = 0;
  for_each_pixel(image, [&](int, int, Colour c) {
    EXPECT_NEAR(c.y, 0, 1e-5);
    red += c.x > 10 * c.z, blue += c.z > 10 * c.x;
  });
  EXPECT_GT(red, 100);
  EXPECT_GT(blue, 100);
}

// A smooth blob: the depth along a ray is known, and a finer grid must come closer to it.
TEST(March, BlobsDepthConvergesToItsIntegral) {
  constexpr double peak = 5, r = 0.15;
  RenderParams params = level_view();
  params.look = black_smoke(1);
  const auto blob = [](const Vec3d& x) {
    const Vec3d d = x - Vec3d{0.5, 0.5, 0.5};
    return peak * std::exp(-dot(d, d) / (r * r));
  };
  const double half_pixel = 30.5 * std::tan(0.5 * std::numbers::pi / 180) / 16;  // pixel (8, 8) is that far off, twice
  const double expected = peak * r * std::sqrt(std::numbers::pi) * std::exp(-2 * half_pixel * half_pixel / (r * r));
  double before = 0.06 * expected;
  for (int n : {16, 32}) {
    Frame frame = synthetic::empty_frame({n, n, n}, 1.0 / n);
    synthetic::add_volume(frame, "density", Volume::Kind::fog, "", blob);
    const double error = std::abs(-std::log(march_frame(frame, params, exec).at(8, 8).x) - expected);
    EXPECT_LT(error, before) << n;
    before = 0.5 * error + 1e-3;
  }
}

TEST(March, ShadowDepthOfASlabGrowsLinearly) {
  Frame frame = slab(16, 1);
  LookParams look;
  look.density_scale = 3;
  look.sun_direction = {0, 0, 1};
  const Smoke smoke(frame, look, DistanceField(frame, "solid"), Fire(frame, look), exec);
  for (float z : {2.5f, 8.5f, 13.5f}) EXPECT_NEAR(smoke.lighting({8, 8, z}).sun_depth, 3 * (16 - z) / 16, 0.01);
}

TEST(March, EmptyFrameShowsTheBackground) {
  RenderParams params = small();
  params.camera.position = Vec3d{0.5, -5, 0.2};
  params.camera.target = Vec3d{0.5, 0.5, 3};  // upward: no ground in sight
  params.look.background_top = params.look.background_bottom = {0.1, 0.2, 0.3};
  for (bool with_volume : {false, true}) {
    Frame frame = synthetic::empty_frame({8, 8, 16}, 0.125);
    if (with_volume) frame = slab(8, 0);
    for_each_pixel(march_frame(frame, params, exec), [&](int, int, Colour c) {
      ASSERT_LT(length(c - Colour{0.1f, 0.2f, 0.3f}), 1e-6f);
    });
  }
}

TEST(March, SamePictureForAnyThreadCount) {
  const Frame frame = synthetic::plume(16);
  const Image one = render_frame(frame, small(), Exec(Device::cpu, 1));
  for (int threads : {2, 3, 8}) EXPECT_EQ(render_frame(frame, small(), Exec(Device::cpu, threads)), one);
}

// In even white light from everywhere, nothing can be brighter than that light, and white smoke is not black.
// (Exactly followed, white smoke would vanish in it; the few rays of this preview lose some.)
TEST(March, EvenLightIsNotExceeded) {
  RenderParams params = small();
  params.look = black_smoke(30);
  params.look.smoke_colour = params.look.sky_colour = params.look.ground_colour = {1, 1, 1};
  Frame frame = synthetic::plume(16);
  frame.volumes.erase(frame.volumes.begin());  // without the ball
  for_each_pixel(march_frame(frame, params, exec), [](int x, int y, Colour c) {
    ASSERT_LE(c.x, 1 + 1e-4f) << x << ' ' << y;
    ASSERT_GE(c.x, 0.3f) << x << ' ' << y;
  });
}

TEST(March, SunlitSmokeIsNotBrighterThanAWhiteWall) {
  RenderParams params = small();
  params.look = black_smoke(60);
  params.look.smoke_colour = params.look.sun_colour = {1, 1, 1};
  params.look.background_top = params.look.background_bottom = {0, 0, 0};
  float brightest = 0;
  for_each_pixel(march_frame(synthetic::plume(16), params, exec),
                 [&](int, int, Colour c) { brightest = std::max(brightest, c.x); });
  EXPECT_LT(brightest, 1);
  EXPECT_GT(brightest, 0.4f);
}

TEST(March, SmokeAndSolidsShadeTheGround) {
  RenderParams params = small();
  params.look.sun_direction = {0, 0, 1};
  params.look.density_scale = 40;
  Frame bare = synthetic::empty_frame({16, 16, 16}, 1.0 / 16);
  Frame smoky = bare, solid = bare;
  synthetic::add_volume(smoky, "density", Volume::Kind::fog, "", [](const Vec3d& x) { return x.z > 0.7 && x.x > 0.5; });
  synthetic::add_volume(solid, "solid", Volume::Kind::level_set, "m", [](const Vec3d& x) {
    return length(x - Vec3d{0.75, 0.5, 0.8}) - 0.15;
  });
  const Camera camera = make_camera(bare.domain, params.camera);
  const Vec3d shaded = camera.project({0.75, 0.5, 0}), lit = camera.project({0.15, 0.5, 0});
  const Image before = march_frame(bare, params, exec);
  for (const Frame& frame : {smoky, solid}) {
    const Image after = march_frame(frame, params, exec);
    EXPECT_LT(after.at(int(shaded.x), int(shaded.y)).x, 0.4f * before.at(int(shaded.x), int(shaded.y)).x);
    EXPECT_GT(after.at(int(lit.x), int(lit.y)).x, 0.8f * before.at(int(lit.x), int(lit.y)).x);
  }
}

TEST(March, BallIsSeenWhereItIsAndSmooth) {
  Frame frame = synthetic::empty_frame({24, 24, 24}, 1.0 / 24);
  synthetic::add_volume(frame, "solid", Volume::Kind::level_set, "m", [](const Vec3d& x) {
    return length(x - Vec3d{0.5, 0.5, 0.5}) - 0.25;
  });
  const DistanceField solids(frame, "solid");
  for (float y : {8.0f, 12.0f, 15.0f}) {
    const auto t = solids.trace({-10, y, 12}, {1, 0, 0}, 1e9f);
    ASSERT_TRUE(t);
    const Vec3f hit{*t - 10, y, 12}, exact = normalized(hit - Vec3f{12, 12, 12});
    EXPECT_NEAR(length(hit - Vec3f{12, 12, 12}), 6, 0.1);
    EXPECT_GT(dot(solids.normal(hit), exact), 0.999f);
  }
  EXPECT_FALSE(solids.trace({-10, 20, 12}, {1, 0, 0}, 1e9f));
  EXPECT_FALSE(solids.trace({-10, 12, 12}, {1, 0, 0}, 5));
  EXPECT_EQ(solids.sun_seen({12, 12, 1}, {0, 0, 1}, 0.03f), 0);
  EXPECT_NEAR(solids.sun_seen({22, 12, 1}, {0, 0, 1}, 0.03f), 1, 1e-5);
}

TEST(March, HotSmokeGlowsRed) {
  Frame frame = slab(8, 1);
  RenderParams params = level_view();
  params.look = black_smoke(20);
  const Colour cold = march_frame(frame, params, exec).at(8, 8);
  synthetic::add_volume(frame, "temperature", Volume::Kind::fog, "K", [](const Vec3d&) { return 1100; });
  const Colour hot = march_frame(frame, params, exec).at(8, 8);
  EXPECT_LT(cold.x, 0.01f);
  EXPECT_GT(hot.x, 0.1f);
  EXPECT_GT(hot.x, 2 * hot.z);
}

TEST(March, AbsurdParametersEnd) {
  RenderParams params = small(32);
  params.look.sun_direction = {0, 0, 0};
  params.look.density_scale = 1e6;
  params.camera.position = Vec3d{0.5, 0.5, 0.3};  // inside the smoke
  Frame frame = synthetic::plume(8);
  for (Volume& v : frame.volumes) v.values[5] = std::nanf("");
  for_each_pixel(render_frame(frame, params, exec),
                 [](int, int, Colour c) { ASSERT_TRUE(std::isfinite(c.x + c.y + c.z)); });
}

}  // namespace
}  // namespace silt

#include "silt/render/water.h"

#include <gtest/gtest.h>

#include "silt/core/error.h"
#include "silt/render/camera.h"
#include "silt/render/derived.h"
#include "silt/render/march.h"
#include "silt/render/render.h"
#include "silt/render/synthetic_frames.h"

namespace silt {
namespace {

const Exec exec(Device::cpu, 2);

Frame ball(int n, double radius, const Vec3d& centre = {0.5, 0.5, 0.5}) {
  Frame frame = synthetic::empty_frame({n, n, n}, 1.0 / n);
  synthetic::add_water(frame, [=](const Vec3d& x) { return length(x - centre) - radius; });
  return frame;
}

/// Water up to z = depth in a unit cube.
Frame tank(int n, double depth) {
  Frame frame = synthetic::empty_frame({n, n, n}, 1.0 / n);
  synthetic::add_water(frame, [=](const Vec3d& x) { return x.z - depth; });
  return frame;
}

template <class Visit>
void for_each_pixel(const Image& image, const Visit& visit) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) visit(x, y, image.at(x, y));
}

RenderParams small(int width = 96) {
  RenderParams params;
  params.camera.width = width;
  return params;
}

// Both crossings of a sphere, and its normals; small drops too, which plain smoothing would shrink.
TEST(Water, ARayCrossesABallWhereItIs) {
  for (const double radius : {0.25, 0.08}) {
    const Water water(ball(24, radius), {});
    const float r = float(24 * radius);
    for (const float off : {0.0f, 0.3f, 0.7f}) {
      const Vec3f origin{-10, 12 + off * r, 12}, way{1, 0, 0};
      const float half = r * std::sqrt(1 - off * off);
      const auto in = water.enter(origin, way, 1e9f);
      ASSERT_TRUE(in) << radius << ' ' << off;
      EXPECT_NEAR(in->t, 22 - half, 0.06) << radius << ' ' << off;
      EXPECT_GT(dot(in->normal, Vec3f{-half / r, off, 0}), 0.995f) << radius << ' ' << off;
      const Vec3f inside = origin + way * (in->t + 0.05f);
      EXPECT_TRUE(water.inside(inside));
      const Water::Crossing out = water.leave(inside, way);
      EXPECT_NEAR(in->t + 0.05f + out.t, 22 + half, 0.06) << radius << ' ' << off;
      EXPECT_GT(dot(out.normal, Vec3f{half / r, off, 0}), 0.995f) << radius << ' ' << off;
      EXPECT_NEAR(water.length_along(origin, way), 2 * half, 0.6f) << radius << ' ' << off;
    }
    EXPECT_FALSE(water.enter({-10, 12 + 1.2f * r, 12}, {1, 0, 0}, 1e9f));
    EXPECT_FALSE(water.enter({-10, 12, 12}, {1, 0, 0}, 21 - r));
  }
}

// A sheet one cell thick is hit, and so is one that rays see edge on.
TEST(Water, AThinSheetIsNotMissed) {
  Frame frame = synthetic::empty_frame({32, 32, 32}, 1.0 / 32);
  synthetic::add_water(frame,
                       [](const Vec3d& x) { return std::abs(x.x + 0.3 * x.z - 0.6) / std::hypot(1, 0.3) - 0.5 / 32; });
  const Water water(frame, {});
  for (float y = 1; y < 31; y += 1.7f)
    for (float z = 1; z < 31; z += 1.3f) EXPECT_TRUE(water.enter({-40, y, z}, {1, 0, 0}, 1e9f)) << y << ' ' << z;
}

TEST(Water, IsCutOffAtTheDomainsSides) {
  const Water water(tank(16, 0.5), {});
  const auto in = water.enter({-10, 8, 3}, {1, 0, 0}, 1e9f);
  ASSERT_TRUE(in);
  EXPECT_NEAR(in->t, 10, 1e-4);
  EXPECT_GT(dot(in->normal, Vec3f{-1, 0, 0}), 0.999f);
  const Water::Crossing out = water.leave({0.1f, 8, 3}, {1, 0, 0});
  EXPECT_NEAR(out.t, 15.9, 1e-4);
  EXPECT_GT(dot(out.normal, Vec3f{1, 0, 0}), 0.999f);
  EXPECT_FALSE(water.enter({-10, 8, 9}, {1, 0, 0}, 1e9f));
  EXPECT_FALSE(water.inside({-1, 8, 3}));
}

// Through an open side water goes on, as far as the volume does; with an open floor there is no ground to hide it.
TEST(Water, IsSeenBeyondOpenSides) {
  Frame frame = synthetic::empty_frame({16, 16, 16}, 1.0 / 16);
  frame.domain.cells = {{-8, 0, -8}, {16, 16, 16}};
  synthetic::add_water(frame, [](const Vec3d& x) { return length(x - Vec3d{-0.2, 0.5, -0.2}) - 0.1; });
  frame.domain.cells = {{0, 0, 0}, {16, 16, 16}};
  const Vec3f origin{-3.2f, 8, 40}, down{0, 0, -1};
  EXPECT_FALSE(Water(frame, {}).enter(origin, down, 1e9f));
  frame.domain.sides[0][0] = frame.domain.sides[2][0] = Side::open;
  ASSERT_TRUE(Water(frame, {}).enter(origin, down, 1e9f));

  RenderParams params;
  params.camera = {
      .position = Vec3d{-0.2, -8, 3}, .target = Vec3d{-0.2, 0.5, -0.2}, .field_of_view = 10, .width = 32, .height = 32};
  Frame dry = frame;
  dry.volumes.clear();
  dry.domain.sides[2][0] = Side::wall;
  EXPECT_GT(length(march_frame(frame, params, exec).at(16, 16) - march_frame(dry, params, exec).at(16, 16)), 0.05f);
}

// Handbook values for an index of 1.333.
TEST(Water, ReflectsAndBendsAsWaterDoes) {
  EXPECT_NEAR(water_reflectance(1, false), 0.0204, 1e-4);
  EXPECT_NEAR(water_reflectance(1, true), 0.0204, 1e-4);
  EXPECT_NEAR(water_reflectance(std::cos(1.0472f), false), 0.0597, 5e-4);  // 60 degrees
  EXPECT_NEAR(water_reflectance(0, false), 1, 1e-5);
  EXPECT_EQ(water_reflectance(std::cos(0.86f), true), 1);  // beyond 48.6 degrees from within
  const Vec3f up{0, 0, 1}, way{std::sin(0.7f), 0, -std::cos(0.7f)};
  const auto in = bend(way, up, false);
  ASSERT_TRUE(in);
  EXPECT_NEAR(in->x, std::sin(0.7f) / 1.333f, 1e-5);
  EXPECT_NEAR(length(*in), 1, 1e-5);
  const auto back = bend(*in, up, true);
  ASSERT_TRUE(back);
  EXPECT_LT(length(*back - way), 1e-5f);
  EXPECT_FALSE(bend({std::sin(0.9f), 0, -std::cos(0.9f)}, up, true));
}

TEST(Water, SwallowsLightByItsDepth) {
  LookParams look;
  look.water_colour = {0.25, 0.5, 1};
  look.water_depth = 0.5;
  const Water water(tank(16, 0.5), look);
  const Colour once = water.through(8), twice = water.through(16);  // 0.5 m, 1 m
  EXPECT_NEAR(once.x, 0.25, 1e-5);
  EXPECT_NEAR(once.z, 1, 1e-5);
  EXPECT_NEAR(twice.y, 0.25, 1e-5);
}

// From straight above, still water shows the floor: what two ways of light through it and two passes of its surface
// leave of it.
TEST(Water, TheFloorIsSeenThroughStillWater) {
  RenderParams params;
  params.camera = {
      .position = Vec3d{0.5, 0.5, 30}, .target = Vec3d{0.5, 0.5, 0}, .field_of_view = 1, .width = 16, .height = 16};
  params.look.sun_direction = {0.6, 0, 0.8};  // not mirrored into the camera
  params.look.sky_colour = {0, 0, 0};
  params.look.sun_colour = {1, 1, 1};
  params.look.ground_colour = {0.5, 0.5, 0.5};
  params.look.water_colour = {0.5, 0.9, 1};
  params.look.water_depth = 0.25;
  const Image dry = march_frame(synthetic::empty_frame({16, 16, 16}, 1.0 / 16), params, exec);
  const Image wet = march_frame(tank(16, 0.25), params, exec);
  const Colour a = dry.at(8, 8), b = wet.at(8, 8);
  ASSERT_GT(a.x, 0.3f);
  EXPECT_NEAR(b.z / a.z, 0.7 * 0.98, 0.05);  // clear: less what the surface mirrors, and what it bends elsewhere
  EXPECT_NEAR(b.y / b.z, std::pow(0.9, 1 / 0.8) * 0.9, 0.03);  // down, slanting, and up again
  EXPECT_NEAR(b.x / b.z, std::pow(0.5, 1 / 0.8) * 0.5, 0.03);
}

TEST(Water, MirrorsTheSkyAtAGrazingAngle) {
  RenderParams params;
  params.camera = {
      .position = Vec3d{-30, 0.5, 2.0}, .target = Vec3d{0.5, 0.5, 0.5}, .field_of_view = 1, .width = 32, .height = 32};
  params.look.sun_colour = {0, 0, 0};
  params.look.sky_colour = {0.2, 0.3, 0.4};
  params.look.water_colour = {0, 0, 0};
  params.look.water_depth = 1e-3;
  params.look.ground_colour = params.look.background_bottom = params.look.background_top = {0, 0, 0};
  const Image image = march_frame(tank(32, 0.5), params, exec);
  float brightest = 0;
  for_each_pixel(image, [&](int, int, Colour c) { brightest = std::max(brightest, c.z); });
  EXPECT_GT(brightest, 0.4f);           // nearly all of a bright horizon
  EXPECT_LT(image.at(16, 28).z, 0.2f);  // its front, seen head on, is black
}

TEST(Water, HasAShadowAndASoftContactOnTheGround) {
  RenderParams params = small();
  params.look.sun_direction = {0, 0, 1};
  const Frame bare = synthetic::empty_frame({24, 24, 24}, 1.0 / 24);
  const Frame drop = ball(24, 0.15, {0.5, 0.5, 0.6});
  Vec3d below = make_camera(bare.domain, params.camera).project({0.5, 0.5, 0});
  const Image before = march_frame(bare, params, exec), after = march_frame(drop, params, exec);
  const float ratio = after.at(int(below.x), int(below.y)).x / before.at(int(below.x), int(below.y)).x;
  EXPECT_LT(ratio, 0.8f);
  EXPECT_GT(ratio, 0.1f);  // light comes through
}

TEST(Water, SamePictureForAnyThreadCount) {
  const Frame frame = synthetic::pool(20);
  const Image one = render_frame(frame, small(), Exec(Device::cpu, 1));
  EXPECT_EQ(render_frame(frame, small(), Exec(Device::cpu, 3)), one);
  int wet = 0;
  Frame dry = frame;
  dry.volumes.pop_back();
  const Image without = render_frame(dry, small(), exec);
  for_each_pixel(one, [&](int x, int y, Colour c) { wet += length(c - without.at(x, y)) > 0.02f; });
  EXPECT_GT(wet, one.width() * one.height() / 5);
}

// A cache may keep the surface in several boxes: the picture is the same.
TEST(Water, InSeveralBoxesLooksTheSame) {
  const Frame frame = synthetic::pool(20);
  Frame cut = frame;
  const Volume whole = cut.volumes.back();
  cut.volumes.pop_back();
  for (const Box& box : {Box{{0, 0, 0}, {7, 12, 12}}, Box{{7, 0, 0}, {20, 5, 12}}, Box{{7, 5, 0}, {20, 12, 12}}}) {
    Volume part{whole.material, whole.name, whole.kind, whole.unit, box, whole.background, {}};
    for (int z = box.lo.z; z < box.hi.z; ++z)
      for (int y = box.lo.y; y < box.hi.y; ++y)
        for (int x = box.lo.x; x < box.hi.x; ++x) part.values.push_back(whole.at({x, y, z}));
    cut.volumes.push_back(part);
  }
  EXPECT_FALSE(with_joined_boxes(frame));
  EXPECT_EQ(render_frame(cut, small(), exec), render_frame(frame, small(), exec));
}

TEST(Water, OddFramesEnd) {
  Frame nothing = tank(8, -1), everything = tank(8, 5), broken = tank(8, 0.5), empty = tank(8, 0.5);
  for (std::size_t i = 0; i < broken.volumes[0].values.size(); i += 3) broken.volumes[0].values[i] = std::nanf("");
  empty.volumes[0].cells = {}, empty.volumes[0].values.clear();
  RenderParams within = small(32);
  within.camera.position = Vec3d{0.5, 0.5, 0.3};  // under water
  within.camera.target = Vec3d{0.9, 0.6, 0.8};
  for (const Frame& frame : {nothing, everything, broken, empty})
    for (const RenderParams& params : {small(32), within})
      for_each_pixel(render_frame(frame, params, exec),
                     [](int, int, Colour c) { ASSERT_TRUE(std::isfinite(c.x + c.y + c.z)); });
}

/// Pixels of a 2D picture that are more blue than the page.
double water_share(const Image& image, const Image& dry) {
  double share = 0;
  for_each_pixel(image, [&](int x, int y, Colour c) { share += length(c - dry.at(x, y)) > 0.02f; });
  return share;
}

TEST(WaterPlot, FillsWhatTheLevelSetIsNegativeIn) {
  const auto disc = [](double radius) {
    Frame frame = synthetic::empty_frame({40, 40, 1}, 1.0 / 40);
    synthetic::add_water(frame, [=](const Vec3d& x) { return std::hypot(x.x - 0.5, x.y - 0.5) - radius; });
    return frame;
  };
  const RenderParams params = small(400);
  const Image none = render_frame(disc(-1), params, exec), all = render_frame(disc(5), params, exec);
  Frame before_any = disc(-1);  // the first frame of a scene that only has a source: no cells at all
  before_any.volumes.back().cells = {}, before_any.volumes.back().values.clear();
  EXPECT_EQ(render_frame(before_any, params, exec), none);
  const double map = water_share(all, none);
  for (const double radius : {0.3, 0.1})
    EXPECT_NEAR(water_share(render_frame(disc(radius), params, exec), none) / map, 3.14159 * radius * radius,
                0.012 * radius / 0.1)
        << radius;
}

TEST(WaterPlot, ParticlesShowTheirSpeed) {
  RenderParams params = small(400);
  params.look.quantity = "particles";
  params.look.range_max = 2;
  Frame frame = synthetic::falling_column(20);
  Points& points = frame.points[0];
  for (Vec3f& v : points.velocities) v = {0.5f, 0, 0};
  const Image slow = render_frame(frame, params, exec);
  for (Vec3f& v : points.velocities) v = {0, -2, 0};
  const Image fast = render_frame(frame, params, exec);
  int changed = 0;
  double brighter = 0;
  for_each_pixel(fast, [&](int x, int y, Colour c) {
    const Colour before = slow.at(x, y);
    changed += length(c - before) > 0.05f, brighter += c.x + c.y + c.z - before.x - before.y - before.z;
  });
  EXPECT_GT(changed, 1000);
  EXPECT_GT(brighter / changed, 0.5);
  frame.points.clear();
  EXPECT_THROW(render_frame(frame, params, exec), InputError);
  frame.points.push_back({});  // none left
  EXPECT_NO_THROW(render_frame(frame, params, exec));
}

}  // namespace
}  // namespace silt

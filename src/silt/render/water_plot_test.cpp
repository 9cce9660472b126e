#include <gtest/gtest.h>

#include "silt/core/error.h"
#include "silt/render/render.h"
#include "silt/render/synthetic_frames.h"

namespace silt {
namespace {

const Exec exec(Device::cpu, 2);

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

// Drops without a grid are in no level set.
TEST(WaterPlot, SprayIsSeen) {
  const auto frame_with = [](double surface, const std::vector<Vec3d>& places) {
    Frame frame = synthetic::empty_frame({40, 40, 1}, 1.0 / 40);
    synthetic::add_water(frame, [=](const Vec3d& x) { return x.y - surface; });
    frame.points.clear();
    Points& points = frame.points.emplace_back();
    points.material = "water", points.radius = 0.5f / 40;
    points.positions = places;
    return frame;
  };
  const RenderParams params = small(400);
  for (const double surface : {-1.0, 0.25}) {
    const Image none = render_frame(frame_with(surface, {}), params, exec);
    EXPECT_GT(water_share(render_frame(frame_with(surface, {{0.5, 0.6, 0}}), params, exec), none), 8) << surface;
    if (surface > 0) {
      EXPECT_EQ(render_frame(frame_with(surface, {{0.5, 0.2, 0}}), params, exec), none);
    }
  }
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

// Water's volumes are as large as the water: what is drawn of them lies where it is, whatever their box, and a tap that
// has not opened yet is a still map.
TEST(WaterPlot, VelocityIsDrawnOnTheWholeDomain) {
  const auto moving = [](const Box& box) {
    Frame frame = synthetic::empty_frame({40, 40, 1}, 1.0 / 40);
    synthetic::add_water(frame, [](const Vec3d& x) { return std::hypot(x.x - 0.5, x.y - 0.5) - 0.2; });
    Volume velocity{"water", "velocity", Volume::Kind::vector, "m/s", box, 0, {}};
    for (int y = box.lo.y; y < box.hi.y; ++y)
      for (int x = box.lo.x; x < box.hi.x; ++x) {
        const bool wet = std::abs(x - 20) < 8 && std::abs(y - 20) < 8;
        velocity.values.insert(velocity.values.end(), {wet ? float(y - 10) : 0.0f, 0.0f, 0.0f});
      }
    frame.volumes.push_back(velocity);
    return frame;
  };
  const Frame whole = moving({{0, 0, 0}, {40, 40, 1}}), part = moving({{8, 10, 0}, {33, 30, 1}});
  Frame none = whole;
  none.volumes.pop_back();
  none.volumes.back().cells = {}, none.volumes.back().values.clear();
  for (const char* quantity : {"velocity", "vorticity", "surface"}) {
    RenderParams params = small(300);
    params.look.quantity = quantity, params.look.arrows = true;
    params.look.range_min = 0, params.look.range_max = 20;
    const Image image = render_frame(whole, params, exec);
    EXPECT_EQ(render_frame(part, params, exec), image) << quantity;
    const Image empty = render_frame(none, params, exec);
    EXPECT_EQ(empty.width(), image.width());
    EXPECT_NE(empty, image) << quantity;
    EXPECT_EQ(empty.at(20, image.height() - 20), image.at(20, image.height() - 20)) << "the same axes";
  }
}

}  // namespace
}  // namespace silt

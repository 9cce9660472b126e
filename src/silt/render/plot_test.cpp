#include "silt/render/plot.h"

#include <gtest/gtest.h>

#include "silt/core/error.h"
#include "silt/render/derived.h"
#include "silt/render/palette.h"
#include "silt/render/plot_marks.h"
#include "silt/render/plot_page.h"
#include "silt/render/render.h"
#include "silt/render/synthetic_frames.h"

namespace silt {
namespace {

bool near(Colour a, Colour b) {
  return length(a - b) < 1e-4f;
}

TEST(Plot, RoundNumbers) {
  EXPECT_DOUBLE_EQ(round_down(0.31), 0.2);
  EXPECT_DOUBLE_EQ(round_down(0.2), 0.2);
  EXPECT_DOUBLE_EQ(round_down(99), 50);
  EXPECT_DOUBLE_EQ(round_down(1), 1);
  const std::vector<double> t = ticks(0, 1);
  ASSERT_EQ(t.size(), 6u);
  EXPECT_NEAR(t[1], 0.2, 1e-12);
  EXPECT_NEAR(t.back(), 1.0, 1e-12);
  for (auto [lo, hi] : {std::pair{290.0, 410.0}, {-3.0, 7.0}, {0.0, 1e-5}, {0.0, 1.5}}) {
    EXPECT_GE(ticks(lo, hi).size(), 3u);
    EXPECT_LE(ticks(lo, hi).size(), 11u);
  }
}

TEST(Plot, MapShowsTheValuesColour) {
  Frame frame = synthetic::empty_frame({40, 40, 1}, 0.025);
  synthetic::add_volume(frame, "density", Volume::Kind::fog, "",
                        [](const Vec3d& x) { return x.x < 0.5 ? 0.25 : 0.75; });
  const Image image = render_frame(frame, {}, Exec(Device::cpu, 1));
  int low = 0, high = 0;
  for (int x = 0; x < image.width(); ++x) {
    low += near(image.at(x, image.height() / 2), smoke_palette(0.25f));
    high += near(image.at(x, image.height() / 2), smoke_palette(0.75f));
  }
  EXPECT_GT(low, image.width() / 5);
  EXPECT_NEAR(low, high, 3);
}

// y points up in the scene and down in the picture.
TEST(Plot, UpIsUp) {
  Frame frame = synthetic::empty_frame({16, 16, 1}, 1);
  synthetic::add_volume(frame, "density", Volume::Kind::fog, "", [](const Vec3d& x) { return x.y / 16; });
  const Image image = render_frame(frame, {}, Exec(Device::cpu, 1));
  const int x = image.width() / 2;
  EXPECT_GT(lightness(image.at(x, image.height() / 4)), lightness(image.at(x, image.height() * 3 / 4)) + 0.2f);
}

TEST(Plot, SolidsCoverTheMap) {
  Frame frame = synthetic::empty_frame({32, 32, 1}, 1);
  const auto disc = [](const Vec3d& x) { return std::hypot(x.x - 16, x.y - 16) - 8; };
  synthetic::add_volume(frame, "density", Volume::Kind::fog, "", [](const Vec3d&) { return 1; });
  const Image without = render_frame(frame, {}, Exec(Device::cpu, 1));
  synthetic::add_volume(frame, "solid", Volume::Kind::level_set, "m", disc);
  const Image with = render_frame(frame, {}, Exec(Device::cpu, 1));
  int map = 0, covered = 0;
  for (int y = 0; y < with.height(); ++y)
    for (int x = 0; x < with.width(); ++x) {
      map += near(without.at(x, y), smoke_palette(1));
      covered += !near(without.at(x, y), with.at(x, y));
    }
  EXPECT_NEAR(double(covered) / map, 3.14159 * 64 / 1024, 0.01);
}

// Whatever the domain's shape, the page keeps a clean margin: nothing is cut off.
TEST(Plot, NothingReachesThePicturesEdge) {
  for (Int3 n : {Int3{64, 64, 1}, Int3{200, 20, 1}, Int3{20, 200, 1}, Int3{64, 1, 1}})
    for (int width : {160, 640, 1280}) {
      Frame frame = synthetic::empty_frame(n, 0.01);
      frame.time = 1234.5;
      synthetic::add_volume(frame, "temperature", Volume::Kind::fog, "K",
                            [](const Vec3d& x) { return 293.15 + 1000 * x.x; });
      RenderParams params;
      params.camera.width = width;
      params.look.quantity = "temperature";
      const Image image = render_frame(frame, params, Exec(Device::cpu, 2));
      const Colour page = image.at(0, 0);
      for (int x = 0; x < image.width(); ++x)
        for (int y : {0, 1, image.height() - 2, image.height() - 1})
          ASSERT_TRUE(near(image.at(x, y), page)) << n << width;
      for (int y = 0; y < image.height(); ++y)
        for (int x : {0, 1, image.width() - 2, image.width() - 1})
          ASSERT_TRUE(near(image.at(x, y), page)) << n << width;
    }
}

// In 1D each volume is a line: the pixels of it in a column lie as high as the value there, whatever the others are.
TEST(Plot, LinesOfOneDimension) {
  Frame frame = synthetic::empty_frame({100, 1, 1}, 0.01);
  synthetic::add_volume(frame, "pressure", Volume::Kind::fog, "Pa",
                        [](const Vec3d& x) { return x.x < 0.5 ? 3.9e5 : 1.1e5; });
  synthetic::add_volume(frame, "temperature", Volume::Kind::fog, "K", [](const Vec3d& x) { return 300 + 100 * x.x; });
  RenderParams params;
  const auto height = [&](int x) {  // of the line above the picture's bottom; 0: there is none
    const Image image = render_frame(frame, params, Exec(Device::cpu, 1));
    double sum = 0;
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      if (length(image.at(x, y) - plot_colours(Page::dark).water_edge) < 0.15f) sum += image.height() - y, ++count;
    return count ? sum / count : 0.0;
  };
  params.look.quantity = "temperature";
  const double low = height(300), middle = height(500), high = height(700);
  EXPECT_GT(low, 0);
  EXPECT_NEAR(middle - low, high - middle, 2);
  EXPECT_GT(high - low, 100);
  params.look.quantity = "pressure";
  EXPECT_GT(height(300), height(700) + 200);
  params.look.quantity = "all";  // side by side
  EXPECT_GT(height(120), height(450) + 100);
  EXPECT_GT(height(900), height(600) + 50);
}

TEST(Plot, MissingQuantityIsNamed) {
  Frame frame = synthetic::swirl(8);
  RenderParams params;
  params.look.quantity = "temprature";
  try {
    render_frame(frame, params, Exec(Device::cpu, 1));
    FAIL() << "no error";
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "the frame has no volume 'temprature' to show; it has: solid, density");
  }
}

// A rigid turn has vorticity 2 everywhere; across a periodic seam too, where its velocity has a jump and a wave has
// not.
TEST(Vorticity, OfKnownFlows) {
  for (const bool periodic : {false, true}) {
    constexpr int n = 32;
    constexpr double k = 2 * 3.14159265358979323846 / n;
    Frame frame = synthetic::empty_frame({n, n, 1}, 1);
    if (periodic) frame.domain.sides[0] = frame.domain.sides[1] = {Side::periodic, Side::periodic};
    Volume velocity{"smoke", "velocity", Volume::Kind::vector, "m/s", frame.domain.cells, 0, {}};
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        const double u = periodic ? std::sin(k * (y + 0.5)) : -(y + 0.5), v = periodic ? 0 : x + 0.5;
        velocity.values.insert(velocity.values.end(), {float(u), float(v), 0.0f});
      }
    const Volume w = vorticity_of(frame, velocity);
    for (const Cell c : {Cell{0, 0, 0}, Cell{7, 9, 0}, Cell{n - 1, n - 1, 0}})
      EXPECT_NEAR(w.at(c), periodic ? -std::sin(k) * std::cos(k * (c.y + 0.5)) : 2, 1e-5) << c << periodic;
  }
}

TEST(Plot, VorticityIsMadeFromVelocityAndDarkWhereNothingTurns) {
  Frame frame = synthetic::empty_frame({32, 32, 1}, 1);
  Volume velocity{"smoke", "velocity", Volume::Kind::vector, "m/s", frame.domain.cells, 0, {}};
  for (int i = 0; i < 32 * 32; ++i)
    velocity.values.insert(velocity.values.end(), {float(std::abs(i / 32 - 15)), 0.0f, 0.0f});
  RenderParams params;
  params.look.quantity = "vorticity";
  EXPECT_THROW(render_frame(frame, params, Exec(Device::cpu, 1)), InputError);
  frame.volumes.push_back(velocity);
  const Image image = render_frame(frame, params, Exec(Device::cpu, 1));
  const int x = image.width() / 2, h = image.height();
  EXPECT_TRUE(near(image.at(x, h * 3 / 4), signed_palette(1))) << "below the middle u falls with y: counter-clockwise";
  EXPECT_TRUE(near(image.at(x, h / 4), signed_palette(0)));
  EXPECT_LT(lightness(signed_palette(0.5f)), 0.2f);
  for (float t = 0.5f; t < 0.95f; t += 0.05f) {
    EXPECT_GT(lightness(signed_palette(t + 0.05f)), lightness(signed_palette(t)) + 0.02f);
    EXPECT_NEAR(lightness(signed_palette(1 - t)), lightness(signed_palette(t)), 0.03f);
  }
}

TEST(Palettes, OfBothSignsAreThePageInTheMiddle) {
  EXPECT_GT(lightness(palette_of(ColourMap::usual, true, Page::paper)(0.5f)), 0.99f);
  EXPECT_LT(lightness(palette_of(ColourMap::usual, true, Page::dark)(0.5f)), 0.2f);
  for (const float t : {0.0f, 1.0f}) EXPECT_LT(lightness(paper_signed_palette(t)), 0.5f);
  EXPECT_LT(lightness(contrasting({1, 1, 1})), 0.3f);
  EXPECT_GT(lightness(contrasting({0, 0, 0})), 0.8f);
}

TEST(Palettes, GrowLighterEvenly) {
  for (const ColourMap map : {ColourMap::ember, ColourMap::sea, ColourMap::grey}) {
    const Palette palette = palette_of(map, true);
    const float step = lightness(palette(1)) - lightness(palette(0));
    for (float t = 0; t < 0.95f; t += 0.05f)
      EXPECT_NEAR(lightness(palette(t + 0.05f)) - lightness(palette(t)), 0.05f * step, 0.02f) << int(map) << ' ' << t;
  }
}

// Of v = x over 100 pixels, 3 lines lie at 25, 50 and 75; each covers as many pixels as it is wide.
TEST(Contours, LieWhereTheirValuesAre) {
  const auto cover = [](double x) { return contour_cover(float(x / 100), 0.01f, {0, 1}, 3, 2.0f); };
  for (const double x : {25.0, 50.0, 75.0}) EXPECT_FLOAT_EQ(cover(x), 1);
  for (const double x : {0.0, 12.0, 37.0, 100.0}) EXPECT_FLOAT_EQ(cover(x), 0);
  double sum = 0;
  for (double x = 0; x < 100; x += 0.01) sum += 0.01 * cover(x);
  EXPECT_NEAR(sum, 3 * 2, 0.01);
  EXPECT_FLOAT_EQ(contour_cover(0.5f, 0, {0, 1}, 3, 2), 0) << "where nothing changes there is no line";
}

TEST(Plot, ContoursArrowsAndParticlesAreDrawnWhereAskedFor) {
  Frame frame = synthetic::empty_frame({32, 32, 1}, 1);
  synthetic::add_volume(frame, "density", Volume::Kind::fog, "", [](const Vec3d& x) { return x.x / 32; });
  Volume velocity{"smoke", "velocity", Volume::Kind::vector, "m/s", frame.domain.cells, 0, {}};
  for (int i = 0; i < 32 * 32; ++i) velocity.values.insert(velocity.values.end(), {1.0f, 0.0f, 0.0f});
  Points points;
  points.positions = {{16, 16, 0}, {8, 8, 0}};
  points.radius = 0.3f;
  frame.points = {points};
  const Exec exec(Device::cpu, 1);
  const Image plain = render_frame(frame, {}, exec);
  const auto changed = [&](auto LookParams::*what, auto value) {
    RenderParams params;
    params.look.*what = value;
    const Image image = render_frame(frame, params, exec);
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) count += !near(image.at(x, y), plain.at(x, y));
    return count;
  };
  EXPECT_GT(changed(&LookParams::contours, 4), 4 * plain.height() / 3);
  EXPECT_GT(changed(&LookParams::particles, true), 4);
  EXPECT_THROW(changed(&LookParams::arrows, true), InputError) << "there is no velocity";
  frame.volumes.push_back(velocity);
  EXPECT_GT(changed(&LookParams::arrows, true), 200);
  EXPECT_GT(changed(&LookParams::page, Page::paper), plain.width() * plain.height() / 3);
}

TEST(Plot, SamePictureForAnyThreadCount) {
  const Frame frame = synthetic::swirl(40);
  const Image one = render_frame(frame, {}, Exec(Device::cpu, 1));
  for (int threads : {2, 3, 8}) EXPECT_EQ(render_frame(frame, {}, Exec(Device::cpu, threads)), one);
}

}  // namespace
}  // namespace silt

#include "silt/render/tracer.h"

#include <gtest/gtest.h>

#include "silt/render/black_body.h"
#include "silt/render/exposure.h"
#include "silt/render/fresnel.h"
#include "silt/render/render.h"
#include "silt/render/synthetic_frames.h"

namespace silt {
namespace {

const Exec exec(Device::cpu, 2);

/// Looks at the middle of a unit cube from a little above, so that ground, things and background are in the picture.
RenderParams small_picture(int samples) {
  RenderParams params;
  params.camera.width = 24, params.camera.height = 24;
  params.effort.samples = samples;
  params.effort.denoise = false;
  return params;
}

/// Even white light from everywhere on things that swallow none of it: a furnace, in which nothing can be seen.
RenderParams furnace(int samples) {
  RenderParams params = small_picture(samples);
  LookParams& look = params.look;
  look.sun_colour = {0, 0, 0};
  look.sky_colour = look.background_top = look.background_bottom = {1, 1, 1};
  look.smoke_colour = look.ground_colour = look.solid_colour = look.water_colour = look.grain_colour = {1, 1, 1};
  return params;
}

Frame unit_cube(int n = 16) {
  return synthetic::empty_frame({n, n, n}, 1.0 / n);
}

/// A ball of triangles, of 2 n^2 of them.
Mesh ball_mesh(const Vec3d& centre, double radius, int n) {
  Mesh mesh;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i < 2 * n; ++i) {
      const Vec3f d = direction_at(std::cos(pi * float(j) / float(n)), float(i) / float(2 * n));
      mesh.normals.push_back(d);
      mesh.positions.push_back((centre + d.as<double>() * radius).as<float>());
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < 2 * n; ++i) {
      const int a = j * 2 * n + i, b = j * 2 * n + (i + 1) % (2 * n), c = a + 2 * n, d = b + 2 * n;
      if (j > 0) mesh.triangles.push_back({a, c, b});
      if (j + 1 < n) mesh.triangles.push_back({b, c, d});
    }
  return mesh;
}

Frame with_solid() {
  Frame frame = unit_cube();
  synthetic::add_volume(frame, "solid", Volume::Kind::level_set, "m", [](const Vec3d& x) {
    return length(x - Vec3d{0.5, 0.5, 0.4}) - 0.3;
  });
  return frame;
}

Frame with_water() {
  Frame frame = unit_cube();
  synthetic::add_water(frame, [](const Vec3d& x) {
    return std::min(x.z - 0.3 - 0.04 * std::sin(12 * x.x), length(x - Vec3d{0.5, 0.5, 0.7}) - 0.15);
  });
  return frame;
}

Frame with_water_mesh() {
  Frame frame = unit_cube();
  frame.meshes.push_back(ball_mesh({0.5, 0.5, 0.5}, 0.3, 24));
  frame.meshes[0].material = "water";
  return frame;
}

Frame with_smoke() {
  Frame frame = unit_cube();
  synthetic::add_volume(frame, "density", Volume::Kind::fog, "", [](const Vec3d& x) {
    return 0.1 * std::max(0.0, 1 - 2.5 * length(x - Vec3d{0.5, 0.5, 0.5}));
  });
  return frame;
}

/// A heap of balls, wet on one side.
Frame with_grains(bool wet) {
  Frame frame = unit_cube();
  Points& points = frame.points.emplace_back();
  points.material = "sand";
  points.radius = 0.03f;
  Attribute wetness{"wetness", "", {}};
  for (int i = 0; i < 2000; ++i) {
    const Vec3d u{random_unit(1, i, 0), random_unit(1, i, 1), random_unit(1, i, 2)};
    points.positions.push_back(Vec3d{0.1, 0.1, 0} + u * Vec3d{0.8, 0.8, 0.5});
    wetness.values.push_back(float(u.x));
  }
  if (wet) points.attributes.push_back(wetness);
  return frame;
}

Frame with_body() {
  Frame frame = unit_cube();
  Body& body = frame.bodies.emplace_back();
  body.shape = std::make_shared<Mesh>(ball_mesh({}, 0.3, 16));
  body.pose.place.translation = {0.5, 0.5, 0.5};
  return frame;
}

struct LookCase {
  const char* name;
  Frame frame;
};

std::vector<LookCase> all_looks() {
  std::vector<LookCase> cases;
  cases.push_back({"ground", unit_cube()});
  cases.push_back({"obstacle", with_solid()});
  cases.push_back({"body", with_body()});
  cases.push_back({"water", with_water()});
  cases.push_back({"water mesh", with_water_mesh()});
  cases.push_back({"smoke", with_smoke()});
  cases.push_back({"grains", with_grains(false)});
  cases.push_back({"wet grains", with_grains(true)});
  return cases;
}

struct Mean {
  double value = 0, lowest = 1e30, highest = -1e30;
};

Mean mean_of(const Image& image) {
  Mean m;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const double v = luminance(image.at(x, y));
      m.value += v / (image.width() * image.height());
      m.lowest = std::min(m.lowest, v), m.highest = std::max(m.highest, v);
    }
  return m;
}

// Whatever light falls in comes out again: the picture is 1 everywhere. What is lost by following paths only so far is
// less than the bound. Any look that won or lost light would show.
TEST(Tracer, NothingIsSeenInAFurnace) {
  for (const LookCase& look : all_looks()) {
    const Mean m = mean_of(expose_frame(look.frame, furnace(256), exec).light);
    EXPECT_NEAR(m.value, 1, 0.006) << look.name;
    EXPECT_GT(m.lowest, 0.8) << look.name;
    EXPECT_LT(m.highest, 1.2) << look.name;
  }
}

// With the colours they come with, looks are darker than the light they stand in, and not black.
TEST(Tracer, NoLookWinsLight) {
  for (const LookCase& look : all_looks()) {
    RenderParams params = furnace(64);
    const LookParams colours;
    params.look.smoke_colour = colours.smoke_colour, params.look.ground_colour = colours.ground_colour;
    params.look.solid_colour = colours.solid_colour, params.look.water_colour = colours.water_colour;
    params.look.grain_colour = colours.grain_colour;
    const Mean m = mean_of(expose_frame(look.frame, params, exec).light);
    EXPECT_LT(m.highest, 1.1) << look.name;
    EXPECT_LT(m.value, 1) << look.name;
    EXPECT_GT(m.value, 0.1) << look.name;
  }
}

/// Camera far away, looking down at an angle: all rays meet the middle of the cube at it.
CameraParams view_at(double degrees, const Vec3d& target) {
  const double a = degrees * 3.14159265358979 / 180;
  return {.position = target + Vec3d{-300 * std::sin(a), 0, 300 * std::cos(a)},
          .target = target,
          .field_of_view = 0.01,
          .width = 16,
          .height = 16};
}

// Black water under a white sky shows what its surface mirrors: Fresnel's formula for an index of 1.333, written out.
TEST(Tracer, WaterMirrorsAsFresnelSays) {
  Frame frame = unit_cube();
  synthetic::add_water(frame, [](const Vec3d& x) { return x.z - 0.5; });
  for (const double degrees : {0.1, 30.0, 53.1, 70.0, 80.0}) {
    RenderParams params = furnace(512);
    params.look.water_colour = {0, 0, 0};
    params.look.water_depth = 1e-3;
    params.camera = view_at(degrees, {0.5, 0.5, 0.5});
    const double i = degrees * 3.14159265358979 / 180, t = std::asin(std::sin(i) / 1.333);
    const double s = std::sin(i - t) / std::sin(i + t), p = std::tan(i - t) / std::tan(i + t);
    const double mirrored = 0.5 * (s * s + p * p),
                 glow = 0.12 * 0.15 * 0.15 / (1.333 * 1.333);  // even black water gives a little back
    const double expected = mirrored + (1 - mirrored) * glow;
    EXPECT_NEAR(mean_of(expose_frame(frame, params, exec).light).value, expected, 0.02 * expected + 2e-4) << degrees;
  }
}

// A slab of water that floats before a white background: two passes of its surface and what is swallowed between them,
// with all that goes to and fro within.
TEST(Tracer, ASlabOfWaterSwallowsAsBeerAndLambertSay) {
  Frame frame = unit_cube(32);
  synthetic::add_water(frame, [](const Vec3d& x) { return std::abs(x.z - 0.5) - 0.25; });
  frame.domain.sides[2][0] = Side::open;  // no ground
  for (const double share : {0.9, 0.5, 0.1}) {
    RenderParams params = furnace(512);
    params.look.water_colour = {share, share, share};
    params.look.water_depth = 0.5;
    params.camera = view_at(0.1, {0.5, 0.5, 0.5});
    const double r = std::pow(0.333 / 2.333, 2);
    const double through = (1 - r) * (1 - r) * share / (1 - r * r * share * share);
    const double back = r + (1 - r) * (1 - r) * r * share * share / (1 - r * r * share * share);
    EXPECT_NEAR(mean_of(expose_frame(frame, params, exec).light).value, through + back, 0.01) << share;
  }
}

/// By Fresnel's formula, written out: share of light that a surface of water mirrors, from above.
double mirrored_at(double degrees) {
  const double i = degrees * 3.14159265358979 / 180, t = std::asin(std::sin(i) / 1.333);
  const double s = std::sin(i - t) / std::sin(i + t), p = std::tan(i - t) / std::tan(i + t);
  return 0.5 * (s * s + p * p);
}

// A floor under clear water in the sun: light gets in by 1 - F, out by (1 - F) / n^2, since it spreads as it leaves,
// and what the surface throws back to the floor, r = 1 - (1 - mean F) / n^2 of it, comes again and again.
TEST(Tracer, TheSunLightsAFloorUnderWater) {
  Frame frame = synthetic::empty_frame({64, 64, 8}, 1.0 / 16);
  synthetic::add_water(frame, [](const Vec3d& x) { return x.z - 0.25; });
  constexpr double albedo = 0.2;
  double mean = 0;
  for (double c = 0.005; c < 1; c += 0.01) mean += 0.01 * 2 * c * mirrored_at(std::acos(c) * 180 / 3.14159265358979);
  const double r = 1 - (1 - mean) / (1.333 * 1.333);
  for (const double sun : {0.1, 40.0, 65.0}) {
    RenderParams params = furnace(512);
    LookParams& look = params.look;
    look.sky_colour = look.background_top = look.background_bottom = {0, 0, 0};
    look.ground_colour = {albedo, albedo, albedo}, look.sun_colour = {1, 1, 1};
    const double a = sun * 3.14159265358979 / 180;
    look.sun_direction = {0, std::sin(a), std::cos(a)};
    params.camera = view_at(30, {2, 2, 0.25});
    const double expected =
        albedo * std::cos(a) * (1 - mirrored_at(sun)) * (1 - mirrored_at(30)) / (1.333 * 1.333 * (1 - albedo * r));
    EXPECT_NEAR(mean_of(expose_frame(frame, params, exec).light).value, expected, 0.03 * expected) << sun;
  }
}

// A sun below the horizon lights nothing.
TEST(Tracer, TheGroundStopsLight) {
  RenderParams params = furnace(16);
  LookParams& look = params.look;
  look.sky_colour = look.background_top = look.background_bottom = {0, 0, 0};
  look.sun_colour = {1, 1, 1}, look.sun_direction = {0, -0.3, -1};
  for (const Frame& frame : {with_body(), with_water(), with_smoke()})
    EXPECT_LT(mean_of(expose_frame(frame, params, exec).light).highest, 1e-6);
}

// What is seen of the background with nothing before it is told apart, by as much as a pixel is not covered.
TEST(Tracer, TheBackgroundIsToldApart) {
  for (const LookCase& look : all_looks()) {
    RenderParams params = small_picture(32);
    params.look.background_top = params.look.background_bottom = {2, 2, 2};
    const Exposure picture = expose_frame(look.frame, params, exec);
    int between = 0;
    for (int y = 0; y < 24; ++y)
      for (int x = 0; x < 24; ++x) {
        const float alpha = picture.alpha[picture.index(x, y)];
        between += alpha > 0.01f && alpha < 0.99f;
        EXPECT_NEAR(picture.behind.at(x, y).x, 2 * (1 - alpha), 1e-4) << look.name;
        EXPECT_GE(picture.light.at(x, y).x, picture.behind.at(x, y).x - 1e-4f) << look.name;
      }
    EXPECT_GT(between, 10) << look.name;
  }
}

// Black smoke before a white background, thicker and thicker, so that steps are shorter than most of it would need.
TEST(Tracer, SmokeLetsThroughByItsThickness) {
  for (const double density : {0.1, 0.5, 2.0}) {
    Frame frame = unit_cube();
    synthetic::add_volume(frame, "density", Volume::Kind::fog, "",
                          [=](const Vec3d& x) { return density * (0.5 + x.x); });
    RenderParams params = furnace(256);
    params.camera = {.position = Vec3d{-30, 0.5, 0.5},
                     .target = Vec3d{0.5, 0.5, 0.5},
                     .field_of_view = 1,
                     .width = 16,
                     .height = 16};
    params.look.smoke_colour = params.look.ground_colour = {0, 0, 0};
    params.look.density_scale = 1.5;
    EXPECT_NEAR(mean_of(expose_frame(frame, params, exec).light).value, std::exp(-1.5 * density), 0.005) << density;
  }
}

// Its shadow on the ground, by another estimator: the sun straight above a slab.
TEST(Tracer, SmokeShadesByItsThickness) {
  for (const double density : {0.2, 1.0}) {
    Frame bare = unit_cube(), frame = bare;
    synthetic::add_volume(frame, "density", Volume::Kind::fog, "",
                          [=](const Vec3d& x) { return x.z > 0.75 ? density : 0; });
    RenderParams params = furnace(256);
    params.camera = {.position = Vec3d{0.5, -0.4, 0.3},
                     .target = Vec3d{0.5, 0.5, 0.0},
                     .field_of_view = 4,
                     .width = 16,
                     .height = 16};
    LookParams& look = params.look;
    look.sky_colour = look.background_top = look.background_bottom = look.smoke_colour = {0, 0, 0};
    look.sun_colour = {1, 1, 1}, look.sun_direction = {0, 0, 1}, look.density_scale = 4;
    look.ground_colour = {0.1, 0.1, 0.1};
    const double lit = mean_of(expose_frame(bare, params, exec).light).value;
    EXPECT_NEAR(lit, 0.1, 0.005);
    EXPECT_NEAR(mean_of(expose_frame(frame, params, exec).light).value / lit, std::exp(-density), 0.02) << density;
  }
}

// Flames without smoke: the light along a ray is the integral of what they emit, in the colour of their temperature.
TEST(Tracer, FlamesShineByTheirThickness) {
  Frame frame = unit_cube();
  synthetic::add_volume(frame, "flame", Volume::Kind::fog, "1/s", [](const Vec3d&) { return 3.0; });
  synthetic::add_volume(frame, "temperature", Volume::Kind::fog, "K", [](const Vec3d&) { return 1500.0; });
  RenderParams params = furnace(256);
  params.camera = {
      .position = Vec3d{-30, 0.5, 0.5}, .target = Vec3d{0.5, 0.5, 0.5}, .field_of_view = 1, .width = 16, .height = 16};
  params.look.sky_colour = params.look.background_top = params.look.background_bottom = {0, 0, 0};
  params.look.flame_scale = 0.02;
  const double expected = 0.06 * luminance(black_body(1500));
  EXPECT_NEAR(mean_of(expose_frame(frame, params, exec).light).value, expected,
              0.02 * expected);  // their smoke was not kept
  synthetic::add_volume(frame, "density", Volume::Kind::fog, "", [](const Vec3d&) { return 0; });
  EXPECT_NEAR(mean_of(expose_frame(frame, params, exec).light).value, expected, 0.02 * expected);
}

// A small flame lights the ground below it by the square of its distance: E = j V / d^2, and the ground shows
// albedo E / pi.
TEST(Tracer, FlamesLightTheGround) {
  Frame frame = unit_cube();
  const auto in_flame = [](const Vec3d& x) {
    return std::abs(x.x - 0.5) < 0.06 && std::abs(x.y - 0.5) < 0.06 && std::abs(x.z - 0.75) < 0.06;
  };
  synthetic::add_volume(frame, "density", Volume::Kind::fog, "", [](const Vec3d&) { return 0; });
  synthetic::add_volume(frame, "flame", Volume::Kind::fog, "1/s", [&](const Vec3d& x) { return in_flame(x) ? 1 : 0; });
  synthetic::add_volume(frame, "temperature", Volume::Kind::fog, "K", [](const Vec3d&) { return 1500.0; });
  RenderParams params = furnace(512);
  LookParams& look = params.look;
  look.sky_colour = look.background_top = look.background_bottom = {0, 0, 0};
  look.ground_colour = {0.5, 0.5, 0.5}, look.flame_scale = 10;
  params.camera = {
      .position = Vec3d{0.5, -0.4, 0.3}, .target = Vec3d{0.5, 0.5, 0.0}, .field_of_view = 2, .width = 16, .height = 16};
  const double expected = 0.5 / 3.14159265 * 10 * luminance(black_body(1500)) * std::pow(2.0 / 16, 3) / (0.75 * 0.75);
  EXPECT_NEAR(mean_of(expose_frame(frame, params, exec).light).value, expected, 0.03 * expected);
}

// The sun counts once, whether directions are chosen towards it or by the film that mirrors it: the glossier the film,
// the more the one stands in for the other. Dull and glossy send back the same light in all.
TEST(Tracer, TheSunCountsOnceOnAnyFilm) {
  const CoatedLook look;
  LookParams sunny;
  sunny.sun_direction = {0.3, 0, 1};
  const Lights lights(sunny);
  const Vec3f v = normalized(Vec3f{-0.3f, 0, 1});
  const float a = lights.sun_density();
  for (const float roughness : {0.05f, 0.2f, 0.6f}) {
    const Coated surface{{0.2f, 0.2f, 0.2f}, 1, roughness};
    double by_sun = 0, by_film = 0, both = 0;
    constexpr int n = 200000;
    for (int i = 0; i < n; ++i) {
      Sampler sampler(3, 0, std::uint32_t(i));
      const Vec3f l = lights.sun_direction(sampler.pair());
      const float b = look.density(surface, v, l), f = look.value(surface, v, l).x;
      by_sun += f / a / n, both += f * a / (a * a + b * b) / n;
      const Scattered s = look.sample(surface, v, sampler.pair(), sampler.one());
      if (s.density <= 0 || !lights.in_sun(s.direction)) continue;
      by_film += s.weight.x / n, both += s.weight.x * s.density * s.density / (s.density * s.density + a * a) / n;
    }
    EXPECT_NEAR(by_film / by_sun, 1, 0.1) << roughness;
    EXPECT_NEAR(both / by_sun, 1, 0.02) << roughness;
  }
}

TEST(Tracer, SamePictureForAnyThreadCountAndOnlyForTheSameSeed) {
  for (const LookCase& look : all_looks()) {
    RenderParams params = small_picture(24);
    params.effort.denoise = true;
    const Image one = render_frame(look.frame, params, Exec(Device::cpu, 1));
    EXPECT_EQ(render_frame(look.frame, params, Exec(Device::cpu, 3)), one) << look.name;
    params.effort.seed = 2;
    EXPECT_NE(render_frame(look.frame, params, exec), one) << look.name;
  }
}

// Quiet pixels stop early.
TEST(Tracer, WhereLittleChangesFewerPathsAreFollowed) {
  const Exposure picture = expose_frame(with_smoke(), small_picture(64), exec);
  const auto [least, most] = std::minmax_element(picture.samples.begin(), picture.samples.end());
  EXPECT_EQ(*least, 16);
  EXPECT_EQ(*most, 64);
}

// A ball that flies past is smeared over its way while the shutter is open, by mesh, body and grain alike.
TEST(Tracer, MotionBlursByTheWayWithinTheShutter) {
  const auto covered = [](const Frame& frame, double shutter) {
    RenderParams params = small_picture(64);
    params.camera = {.position = Vec3d{0.5, -20, 0.1},
                     .target = Vec3d{0.5, 0.5, 0.5},
                     .field_of_view = 3,
                     .width = 64,
                     .height = 64,
                     .shutter = shutter};  // from below: no ground in sight
    params.seconds_per_frame = 0.1;
    const Exposure picture = expose_frame(frame, params, exec);
    int touched = 0;
    for (int x = 0; x < 64; ++x) touched += luminance(picture.albedo.at(x, 32)) < 0.97f;
    return touched;
  };
  Frame body = unit_cube(), mesh = body, grain = body;
  const auto shape = std::make_shared<Mesh>(ball_mesh({}, 0.1, 16));
  body.bodies.push_back({"ball", {}, shape});
  body.bodies[0].pose.place.translation = {0.5, 0.5, 0.5};
  body.bodies[0].pose.velocity.velocity = {4, 0, 0};
  mesh.meshes.push_back(ball_mesh({0.5, 0.5, 0.5}, 0.1, 16));
  mesh.meshes[0].velocities.assign(mesh.meshes[0].positions.size(), {4, 0, 0});
  Points& points = grain.points.emplace_back();
  points.material = "sand", points.radius = 0.1f;
  points.positions = {{0.5, 0.5, 0.5}}, points.velocities = {{4, 0, 0}};
  for (const Frame& frame : {body, mesh}) {
    const double pixel = 2 * 20.5 * std::tan(1.5 * 3.14159265 / 180) / 64;  // [m]
    EXPECT_NEAR(covered(frame, 0) * pixel, 0.2, 0.05);
    EXPECT_NEAR(covered(frame, 0.5) * pixel, 0.4, 0.05);
  }
  EXPECT_GT(covered(grain, 0.5), covered(grain, 0) + 8);
}

// A splash may be spray and nothing else: then there is a surface without liquid, and every particle is a drop.
TEST(Tracer, SprayAloneIsSeen) {
  Frame frame = unit_cube();
  synthetic::add_water(frame, [](const Vec3d&) { return 0.1; });
  frame.points.clear();
  RenderParams params = small_picture(4);
  params.camera = {
      .position = Vec3d{0.5, -20, 0.5}, .target = Vec3d{0.5, 0.5, 0.5}, .field_of_view = 2, .width = 16, .height = 16};
  const auto depth = [&] {
    const Exposure picture = expose_frame(frame, params, exec);
    return picture.depth[picture.index(8, 8)];
  };
  const float before = depth();
  Points& points = frame.points.emplace_back();
  points.material = "water", points.radius = 0.1f;
  points.positions = {{0.5, 0.5, 0.5}};
  EXPECT_NEAR(depth(), 20.4, 0.1) << before;
  EXPECT_NE(depth(), before);
  frame.volumes.clear();  // without a surface nobody knows which particles are spray
  EXPECT_EQ(depth(), before);
}

// A mesh of any material takes the colours of the field that is asked for.
TEST(Tracer, AMeshIsColouredByAField) {
  Frame frame = unit_cube();
  frame.meshes.push_back(ball_mesh({0.5, 0.5, 0.5}, 0.3, 24));
  Attribute field{"heat", "K", {}};
  for (const Vec3f& x : frame.meshes[0].positions) field.values.push_back(x.z);
  frame.meshes[0].attributes.push_back(field);
  RenderParams params = small_picture(16);
  params.camera = {
      .position = Vec3d{0.5, -20, 0.5}, .target = Vec3d{0.5, 0.5, 0.5}, .field_of_view = 2, .width = 32, .height = 32};
  params.look.quantity = "heat";
  const Exposure picture = expose_frame(frame, params, exec);
  EXPECT_GT(luminance(picture.albedo.at(16, 4)), luminance(picture.albedo.at(16, 16)) + 0.1f);
  EXPECT_GT(luminance(picture.albedo.at(16, 16)), luminance(picture.albedo.at(16, 27)) + 0.05f);
}

// What has no numbers, no cells or no corners, and cameras within things: a picture of numbers all the same.
TEST(Tracer, OddFramesEnd) {
  std::vector<Frame> frames;
  for (LookCase& look : all_looks()) frames.push_back(std::move(look.frame));
  frames.push_back(with_water());
  frames.back().volumes[0].cells = {}, frames.back().volumes[0].values.clear();
  frames.push_back(with_body());
  frames.back().meshes.push_back(ball_mesh({0.5, 0.5, 0.5}, 0.2, 4));
  frames.back().meshes[0].triangles.push_back({0, 1, 1000000});
  for (Frame& frame : frames)
    for (Volume& v : frame.volumes)
      for (std::size_t i = 0; i < v.values.size(); i += 3) v.values[i] = std::nanf("");
  RenderParams within = small_picture(8);
  within.camera.position = Vec3d{0.5, 0.5, 0.3}, within.camera.target = Vec3d{0.9, 0.6, 0.8};
  within.look.sun_direction = {0, 0, 0}, within.look.density_scale = 1e6;
  RenderParams far_away = small_picture(8);  // where a thousandth of a cell is lost in rounding
  far_away.camera.position = Vec3d{-3e5, -1e5, 1e5}, far_away.camera.field_of_view = 2e-4;
  far_away.look.density_scale = 1e6;
  for (const Frame& frame : frames)
    for (const RenderParams& params : {small_picture(8), within, far_away}) {
      const Image image = render_frame(frame, params, exec);
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) ASSERT_TRUE(std::isfinite(luminance(image.at(x, y))));
    }
}

}  // namespace
}  // namespace silt

#include "silt/physics/sand/sand_stepper.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "silt/core/error.h"
#include "silt/fields/test_tools.h"
#include "silt/physics/sand/packed_sand.h"
#include "silt/physics/sand/sample_sand.h"

namespace silt {
namespace {

using namespace test;

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

/// A heap in a trough of two slopes that meet at x = 0.3.
SampleSand in_trough() {
  Setting s = sand_setting({30, 24, 1}, Side::open);
  const double slope = radians(30);
  put_solid(s, "left", Shape::plane({0.3, 0.1, 0}, {std::sin(slope), std::cos(slope), 0}), 0.5);
  put_solid(s, "right", Shape::plane({0.3, 0.1, 0}, {-std::sin(slope), std::cos(slope), 0}), 0.5);
  fill(s, Shape::box({0.15, 0.05, -1}, {0.45, 0.3, 1}));
  return SampleSand({}, s);
}

// Slopes bear the weight of what has come to rest on them, each its half, and push it together.
TEST(SandStepper, SolidsFeelWhatLiesOnThem) {
  SampleSand sand = in_trough();
  EXPECT_TRUE(sand.advance(0.015, 60));
  EXPECT_LT(sand.fastest(), 0.03);
  EXPECT_TRUE(sand.advance(0.015, 10));
  const Vec3d left = sand.impulses.at("left") / 0.15, right = sand.impulses.at("right") / 0.15;
  const double weight = sand.mass() * g;
  EXPECT_NEAR(left.y + right.y, -weight, 0.01 * weight);
  EXPECT_NEAR(left.x + right.x, 0, 0.01 * weight);
  EXPECT_NEAR(left.y, -0.5 * weight, 0.15 * weight);
  EXPECT_LT(left.x, -0.1 * weight);
}

// A solid that is pushed into sand feels it in front.
TEST(SandStepper, SolidsFeelWhatTheyPush) {
  Setting s = sand_setting({40, 16, 1}, Side::wall);
  put_solid(s, "blade", Shape::box({0.1, 0.02, -1}, {0.16, 1, 1}), 0.3);
  s.obstacles[0].motion.position = Animated<Vec3d>({{0.0, Vec3d{}}, {10.0, Vec3d{2, 0, 0}}}, Between::linear);
  fill(s, Shape::box({0.16, -1, -1}, {0.8, 0.16, 1}));
  SampleSand sand({}, s);
  EXPECT_TRUE(sand.advance(0.01, 10));
  // Rankine: between active and passive pressure on a wall as high as the sand, K rho g H^2 / 2.
  const double at_rest = 0.5 * 1600 * g * 0.16 * 0.16, push = sand.impulses.at("blade").x / -0.1;
  EXPECT_GT(push, 1.5 * at_rest);
  EXPECT_LT(push, 12 * at_rest);
}

/// What a plate of 6 cells meets that is pushed into a bed of rough sand so wide [cells], over rho g times its width;
/// gravity may lean along the bed [m/s^2].
double bears(int wide, double leans = 0) {
  constexpr double width = 0.12, top = 0.5;
  Setting s = sand_setting({wide, 40, 1}, Side::wall);
  const double middle = 0.01 * wide;
  s.gravity.x = leans;
  put_solid(s, "plate", Shape::box({middle - width / 2, top, -1}, {middle + width / 2, 2, 1}), 0.5);
  s.obstacles[0].motion.position = Animated<Vec3d>({{0.0, Vec3d{}}, {1.0, Vec3d{0, -0.2, 0}}}, Between::linear);
  fill(s, Shape::box({-1, -1, -1}, {10, top, 1}));
  SandParams p;
  p.grains.friction_angle = 35;
  SampleSand sand(p, s);
  double sum = 0;
  for (int n = 0; n < 20; ++n) {
    EXPECT_TRUE(sand.advance(0.01, 1));
    if (n >= 10) sum += sand.impulses.at("plate").y / (0.1 * 1600 * g * width * width);
  }
  return sum;
}

// However wide the bed, should gravity lean or not: the few cells that bear a load are not lost in the mean of all.
TEST(SandStepper, LoadsOnWideBedsAreBorne) {
  const double narrow = bears(100), in_wide = bears(400), leaning = bears(400, 1e-6);
  EXPECT_NEAR(narrow, 33, 20);  // strip foundations, at a third of its width
  EXPECT_NEAR(in_wide, narrow, 0.4 * narrow);
  EXPECT_NEAR(leaning, in_wide, 0.1 * in_wide);
}

/// How fast a long slab of rough sand gains speed down a slope [m/s^2]: its middle, wherever the slope cuts the cells.
double slides(double degrees, double friction, int dims) {
  const double slope = radians(degrees), half = dims == 2 ? 0.35 : 0.25;
  Setting s = sand_setting(dims == 2 ? Int3{60, 50, 1} : Int3{36, 4, 34}, Side::open);
  const Vec3d up = unit(dims - 1).as<double>(), along = Vec3d{1, 0, 0}, middle{half + 0.15, 0, 0};
  const Vec3d normal = along * std::sin(slope) + up * std::cos(slope);
  const Vec3d down = along * std::cos(slope) - up * std::sin(slope), origin = middle + up * (half + 0.05);
  if (dims == 3) s.domain.sides[1] = {Side::periodic, Side::periodic};
  put_solid(s, "slope", Shape::plane(origin, normal), friction);
  Vec3d low{-1, -1, -1}, high{1, 1, 1};
  low.x = -half, high.x = half, low[dims - 1] = -0.2, high[dims - 1] = 0.1;
  const auto turned = dims == 2 ? rotation_about({0, 0, 1}, -slope) : rotation_about({0, 1, 0}, slope);
  fill(s, Shape::box(low, high).transformed({turned, origin, 1}));
  SandParams p;
  p.grains.friction_angle = 45;
  SampleSand sand(p, s);
  const auto speed = [&] {
    const Lattice& lattice = s.domain.lattice;
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < sand.state.particles.count; ++i) {
      Vec3d x{}, v{};
      for (int a = 0; a < 3; ++a) {
        if (!lattice.active[a]) continue;
        x[a] = (sand.state.particles.cell[a].host()[i] + double(sand.state.particles.offset[a].host()[i])) * lattice.h;
        v[a] = sand.state.particles.velocity[a].host()[i];
      }
      if (std::abs(dot(x - origin, down)) < 0.4 * half) sum += dot(v, down), ++count;
    }
    return sum / count;
  };
  EXPECT_TRUE(sand.advance(0.01, 6));
  const double before = speed();
  EXPECT_TRUE(sand.advance(0.01, 8));
  return (speed() - before) / 0.08;
}

// Slopes rub as they are told to: a slab gains g (sin t - mu cos t), or lies.
TEST(SandStepper, SlopesRubAsTheyAreToldTo) {
  struct Slope {
    double degrees, friction;
    int dims;
  };
  for (const auto& [degrees, friction, dims] :
       {Slope{35, 0.3, 2}, {35, 0.55, 2}, {24, 0.55, 2}, {45, 0.55, 2}, {35, 0.55, 3}}) {
    const double t = radians(degrees), wanted = std::max(0.0, std::sin(t) - friction * std::cos(t));
    EXPECT_NEAR(slides(degrees, friction, dims), g * wanted, 0.02 * g) << degrees << ' ' << friction << ' ' << dims;
  }
}

// In sand that runs through a round funnel no cell bears much more than the weight of what stands above it: not the
// slivers that the wall leaves of cells, through whose faces hardly anything presses.
TEST(SandStepper, SliversInFunnelsBearWhatCellsDo) {
  Setting s = sand_setting({20, 10, 24}, Side::open);
  s.domain.sides[1][0] = Side::wall;
  const Vec3d axis{0.2, 0, 0};
  const Shape hollow = Shape::cone(axis + Vec3d{0, 0, 0.48}, axis + Vec3d{0, 0, 0.1}, 0.185, 0.055);
  put_solid(s, "funnel", Shape::subtract(Shape::box({-1, -1, 0.12}, {2, 2, 0.46}), hollow), 0.3);
  fill(s, Shape::intersect(hollow, Shape::box({-1, -1, 0.14}, {2, 2, 0.36})));
  SampleSand sand({}, s);
  const double weight = 11 * g * 0.01;  // of eleven cells, in a step
  double most = 0;
  for (int n = 0; n < 16; ++n) {
    EXPECT_TRUE(sand.advance(0.01, 1));
    for (int z = 0; z < 24; ++z)
      for (int y = 0; y < 10; ++y)
        for (int x = 0; x < 20; ++x)
          if (sand.state.grid.contains(Cell{x, y, z})) most = std::max(most, sand.state.pressure(Cell{x, y, z}));
  }
  EXPECT_LT(most, 1.5 * weight);
}

// Sand between walls that lie anywhere in the cells stays where it is.
TEST(SandStepper, RestsBesideWallsOffTheLattice) {
  Setting s = sand_setting({30, 20, 1}, Side::open);
  s.domain.sides[1][0] = Side::wall;
  put_solid(s, "left", Shape::box({-1, -1, -1}, {0.152, 2, 1}), 0.5);
  put_solid(s, "right", Shape::box({0.443, -1, -1}, {2, 2, 1}), 0.5);
  fill(s, Shape::box({0.152, -1, -1}, {0.443, 0.3, 1}));
  SampleSand sand({}, s);
  EXPECT_TRUE(sand.advance(0.015, 30));
  EXPECT_LT(sand.fastest(), 0.005);
}

// A layer of one cell lies on a slope that rubs enough, wherever the slope cuts the cells: also where the sliver of a
// cell between the two has no particle.
TEST(SandStepper, ThinLayersLieOnSlopes) {
  Setting s = sand_setting({60, 40, 1}, Side::open);
  const double slope = radians(12);
  const Vec3d normal{std::sin(slope), std::cos(slope), 0}, middle{0.6, 0.3, 0};
  put_solid(s, "slope", Shape::plane(middle, normal), 0.5);
  fill(s, Shape::box({-0.4, -0.2, -1}, {0.4, 0.02, 1}).transformed({rotation_about({0, 0, 1}, -slope), middle, 1}));
  SampleSand sand({}, s);
  EXPECT_TRUE(sand.advance(0.01, 40));
  EXPECT_LT(length(sand.velocity()), 0.01) << "0.08 where it falls into slivers";
}

/// Where each particle is [m], by its id.
std::map<std::uint64_t, Vec3d> places(const SampleSand& sand) {
  const Lattice& lattice = sand.setting.domain.lattice;
  std::map<std::uint64_t, Vec3d> out;
  const Particles& particles = sand.state.particles;
  for (std::size_t i = 0; i < particles.count; ++i) {
    Vec3d& x = out[particles.id.host()[i]];
    for (int a = 0; a < 3; ++a)
      if (lattice.active[a]) x[a] = (particles.cell[a].host()[i] + double(particles.offset[a].host()[i])) * lattice.h;
  }
  return out;
}

// Single grains lie on a slope, too: what gravity adds in a step is stopped, and so is the way that it takes them. They
// went 0.09 m/s, by velocities of 0.
TEST(SandStepper, SingleGrainsLieOnSlopes) {
  Setting s = sand_setting({24, 6, 20}, Side::open);
  s.domain.sides[1] = {Side::wall, Side::wall};
  const double slope = radians(25);
  const Vec3d middle{0.24, 0.06, 0.18};
  put_solid(s, "slope", Shape::plane(middle, {std::sin(slope), 0, std::cos(slope)}), 0.8);
  fill(s, Shape::box({-0.15, -1, -0.1}, {0.15, 1, 0.006}).transformed({rotation_about({0, 1, 0}, slope), middle, 1}));
  SampleSand sand({}, s);
  EXPECT_TRUE(sand.advance(0.02, 25));
  const std::map<std::uint64_t, Vec3d> before = places(sand);
  EXPECT_TRUE(sand.advance(0.02, 25));
  double farthest = 0;
  for (const auto& [id, x] : places(sand)) farthest = std::max(farthest, length(x - before.at(id)));
  EXPECT_LT(farthest, 0.01);
}

// A block that has fallen comes down to the floor, to less than the distance between its grains; where the half-cells
// below it were no room, it stood 0.92 cells above.
TEST(SandStepper, BlocksLandOnFloors) {
  Setting s = sand_setting({20, 14, 1}, Side::wall);
  s.domain.sides[1][1] = Side::open;
  fill(s, Shape::box({0.1, 0.03, -1}, {0.3, 0.13, 1}));
  SampleSand sand({}, s);
  EXPECT_TRUE(sand.advance(0.01, 40));
  double lowest = 9;  // [cells]
  for (std::size_t i = 0; i < sand.state.particles.count; ++i)
    if (std::abs(sand.state.particles.cell[0].host()[i] - 10) < 4)
      lowest =
          std::min(lowest, sand.state.particles.cell[1].host()[i] + double(sand.state.particles.offset[1].host()[i]));
  EXPECT_LT(lowest, 0.75);
}

/// How hard sand with nowhere to go pushes on a piston that comes down on it, in its weights. `above`: whether a grain
/// hangs high over the open end beside the piston.
double pinched(bool grain_above) {
  Setting s = sand_setting({20, grain_above ? 400 : 12, 1}, Side::wall);
  put_solid(s, "piston", Shape::box({-1, 0.08, -1}, {2, 0.3, 1}), 0.5);
  s.obstacles[0].motion.position = Animated<Vec3d>({{0.0, Vec3d{}}, {10.0, Vec3d{0, -2, 0}}}, Between::linear);
  fill(s, Shape::box({-1, -1, -1}, {2, 0.08, 1}));
  if (grain_above) fill(s, Shape::box({0.2, 7.8, -1}, {0.21, 7.81, 1}));
  SampleSand sand({}, s);
  EXPECT_TRUE(sand.advance(0.01, 30));
  EXPECT_LE(sand.fastest(), grain_above ? 4 : 0.3);
  return sand.impulses.at("piston").y / 0.3 / (sand.mass() * g);
}

// Where a piston comes down on sand that has nowhere to go, the sand bears many times its weight, and then gives way:
// forces have an end, and so has every solve.
TEST(SandStepper, PinchedSandIsCrushed) {
  const double push = pinched(false);
  EXPECT_GT(push, 100);
  EXPECT_LT(push, 1000);
  EXPECT_NEAR(pinched(true), push, 0.05 * push) << "a grain far above it makes it no stronger";
}

// Jaws that close leave no room for what is between them, and it is counted; what goes down a sink is not.
TEST(SandStepper, WhatSolidsSwallowIsCounted) {
  for (const SandModel model : {SandModel::constrained, SandModel::rigid_plastic}) {
    Setting s = sand_setting({30, 16, 1}, Side::wall);
    put_solid(s, "left", Shape::box({0.1, -1, -1}, {0.25, 0.2, 1}), 0.5);
    put_solid(s, "right", Shape::box({0.35, -1, -1}, {0.5, 0.2, 1}), 0.5);
    s.obstacles[1].motion.position = Animated<Vec3d>({{0.0, Vec3d{}}, {0.1, Vec3d{-0.15, 0, 0}}}, Between::linear);
    fill(s, Shape::box({0.02, -1, -1}, {0.1, 0.1, 1}));
    fill(s, Shape::box({0.25, -1, -1}, {0.35, 0.1, 1}));
    Sink sink;
    sink.shape = Shape::box({-1, -1, -1}, {0.1, 1, 1});
    s.sinks.push_back(sink);
    SandParams p;
    p.model = model;
    SampleSand sand(p, s);
    EXPECT_EQ(sand.state.particles.count, 4u * (4 + 5) * 5);
    sand.advance(0.01, 12);
    sand.stepper.gather(sand.exec, sand.time, sand.state);
    EXPECT_GT(sand.swallowed, 0);
    EXPECT_EQ(sand.state.particles.count + std::size_t(sand.swallowed), 4u * 5 * 5);
  }
}

/// Another sand, three times as heavy as the usual.
SandParams with_heavy() {
  SandParams p;
  p.others.push_back(p.grains);
  p.others[0].density = 3 * p.grains.density;
  return p;
}

// What lies on a slab presses with its own weight, of whatever sand it is.
TEST(SandStepper, HeavySandWeighsMore) {
  Setting s = sand_setting({24, 20, 1}, Side::wall);
  put_solid(s, "slab", Shape::box({-1, -1, -1}, {2, 0.05, 1}), 0.5);
  for (const int layer : {0, 1}) {
    fill(s, Shape::box({-1, 0.05 + 0.12 * layer, -1}, {2, 0.17 + 0.12 * layer, 1}));
    s.fills.back().grains = layer == 0 ? -1 : 0;
  }
  SandParams p = with_heavy();
  p.wall_friction = 0;
  SampleSand sand(p, s);
  EXPECT_TRUE(sand.advance(0.01, 45));
  EXPECT_TRUE(sand.advance(0.01, 10));
  const double area = 24 * 0.02, weight = (1 + 3) * 1600 * 0.12 * area * g;
  EXPECT_NEAR(sand.impulses.at("slab").y / 0.1, -weight, 0.03 * weight);
}

// Free fall is exact in steps of any length: g t^2 / 2 from rest, whatever the steps were.
TEST(SandStepper, FallsAsGalileiSays) {
  for (const SandModel model : {SandModel::constrained, SandModel::rigid_plastic}) {
    Setting s = sand_setting({20, 60, 1}, Side::open);
    fill(s, Shape::box({0.1, 0.9, -1}, {0.3, 1.1, 1}));
    SandParams p;
    p.model = model;
    SampleSand sand(p, s);
    const auto height = [&] {
      const Particles& all = sand.state.particles;
      double sum = 0;
      for (std::size_t i = 0; i < all.count; ++i) sum += all.cell[1].host()[i] + double(all.offset[1].host()[i]);
      return 0.02 * sum / double(all.count);
    };
    const double from = height();
    for (const double dt : {0.02, 0.005, 0.03, 0.001, 0.04, 0.02}) {
      EXPECT_TRUE(sand.advance(dt, 2));
      const double fallen = g * sand.time * sand.time / 2;
      EXPECT_NEAR(from - height(), fallen, 1e-4 * fallen) << sand.time;
    }
  }
}

// Two small heaps far apart: what is kept of their stresses is that of the cells that have some, not of the box that
// holds both; and it comes back as it was.
TEST(SandStepper, StressesAreKeptWhereThereAreSome) {
  Setting s = sand_setting({200, 100, 1}, Side::wall);
  fill(s, Shape::box({0.1, -1, -1}, {0.2, 0.1, 1}));
  fill(s, Shape::box({3.7, -1, -1}, {3.8, 0.1, 1}));
  fill(s, Shape::box({2, 1.8, -1}, {2.02, 1.82, 1}));
  SampleSand sand({}, s);
  EXPECT_TRUE(sand.advance(0.01, 3));
  PackedStress kept, again;
  kept.pack(sand.state);
  EXPECT_GT(kept.pressure.size(), 50u);
  EXPECT_LT(double(kept.pressure.size()), 0.05 * double(sand.state.grid.count()));
  EXPECT_EQ(kept.corners.size(), kept.pressure.size() * std::size_t(sand.state.stress.numbers()));
  double most = 0;
  for (std::size_t n = 0; n < kept.pressure.size(); ++n) most = std::max(most, kept.pressure.host()[n]);
  EXPECT_GT(most, 0.2);
  EXPECT_TRUE(sand.advance(0.01, 2));
  kept.unpack(sand.state);
  again.pack(sand.state);
  ASSERT_EQ(again.spans.size(), kept.spans.size());
  ASSERT_EQ(again.corners.size(), kept.corners.size());
  for (std::size_t n = 0; n < kept.spans.size(); ++n) ASSERT_EQ(again.spans.host()[n], kept.spans.host()[n]);
  for (std::size_t n = 0; n < kept.pressure.size(); ++n) ASSERT_EQ(again.pressure.host()[n], kept.pressure.host()[n]);
  for (std::size_t n = 0; n < kept.corners.size(); ++n) ASSERT_EQ(again.corners.host()[n], kept.corners.host()[n]);
  for (std::size_t n = 0; n + 1 < kept.spans.size(); ++n) kept.spans.host()[n] = 1000;
  EXPECT_THROW(kept.unpack(sand.state), IoError) << "of another grid";
}

/// What a block of sand becomes [m]: how wide and how high it lies, as roots of means of squares, and how far from its
/// middle.
struct Lies {
  double wide = 0, high = 0, far = 0;
};

/// In a periodic channel, on an obstacle whose top is there [m] and that moves along x as the sand does at first; or on
/// the domain's own floor, with top = 0.
Lies collapsed(double speed, double top, double dt, double friction = 0.5) {
  Setting s = sand_setting({64, 20, 1}, Side::open);
  s.domain.sides[0] = {Side::periodic, Side::periodic};
  SandParams p;
  p.wall_friction = friction;
  if (top > 0) {
    put_solid(s, "belt", Shape::box({-1000, -1, -1}, {1000, top, 1}), friction);
    s.obstacles[0].motion.position =
        Animated<Vec3d>({{0.0, Vec3d{}}, {10.0, Vec3d{10 * speed, 0, 0}}}, Between::linear);
  } else {
    s.domain.sides[1][0] = Side::wall;
  }
  fill(s, Shape::box({0.54, top, -1}, {0.74, top + 0.2, 1}), {speed, 0, 0});
  SampleSand sand(p, s);
  EXPECT_TRUE(sand.advance(dt, int(std::lround(0.8 / dt))));
  const Particles& all = sand.state.particles;
  const double length = 64 * 0.02, turn = 2 * std::numbers::pi / length;
  std::vector<double> xs;
  double sine = 0, cosine = 0;
  Lies out;
  for (std::size_t i = 0; i < all.count; ++i) {
    xs.push_back(0.02 * (all.cell[0].host()[i] + double(all.offset[0].host()[i])));
    const double y = 0.02 * (all.cell[1].host()[i] + double(all.offset[1].host()[i])) - top;
    out.high += y * y / double(all.count);
    sine += std::sin(turn * xs.back()), cosine += std::cos(turn * xs.back());
  }
  const double middle = std::atan2(sine, cosine) / turn;
  for (const double x : xs) {
    const double d = std::remainder(x - middle, length);
    out.wide += d * d / double(xs.size()), out.far = std::max(out.far, std::abs(d));
  }
  out.wide = std::sqrt(out.wide), out.high = std::sqrt(out.high);
  return out;
}

// A layer that slides is stopped by mu g, however thin it is and wherever its ground cuts the cells: on an obstacle or
// on the domain's own floor.
TEST(SandStepper, LayersAreStoppedByFriction) {
  constexpr double mu = 0.3;
  for (const int rows : {2, 6})
    for (const double top : {0.0, 0.06, 0.065, 0.075}) {
      Setting s = sand_setting({16, 20, 1}, Side::open);
      s.domain.sides[0] = {Side::periodic, Side::periodic};
      SandParams p;
      p.wall_friction = mu;
      if (top > 0)
        put_solid(s, "ground", Shape::box({-1000, -1, -1}, {1000, top, 1}), mu);
      else
        s.domain.sides[1][0] = Side::wall;
      fill(s, Shape::box({-1, top, -1}, {2, top + 0.02 * rows, 1}), {2, 0, 0});
      SampleSand sand(p, s);
      EXPECT_TRUE(sand.advance(0.005, 10));
      const double before = sand.velocity().x;
      EXPECT_TRUE(sand.advance(0.005, 20));
      EXPECT_NEAR((before - sand.velocity().x) / 0.1, mu * g, 0.015 * mu * g) << rows << ' ' << top;
      if (top == 0) continue;
      EXPECT_NEAR(sand.impulses.at("ground").x / 0.1, mu * sand.mass() * g, 0.015 * mu * sand.mass() * g);
    }
}

// Sand that shears within, on ground without friction, keeps its momentum: what the transfer puts beyond walls, into
// solids and into the air is not lost.
TEST(SandStepper, SmoothGroundTakesNoMomentum) {
  for (const double top : {0.0, 0.06}) {
    Setting s = sand_setting({16, 20, 1}, Side::open);
    s.domain.sides[0] = {Side::periodic, Side::periodic};
    SandParams p;
    p.wall_friction = 0;
    p.grains.friction_angle = 20;
    if (top > 0)
      put_solid(s, "ground", Shape::box({-1000, -1, -1}, {1000, top, 1}), 0);
    else
      s.domain.sides[1][0] = Side::wall;
    for (int r = 0; r < 6; ++r)
      fill(s, Shape::box({-1, top + 0.02 * r, -1}, {2, top + 0.02 * (r + 1), 1}), {0.5 * r, 0, 0});
    SampleSand sand(p, s);
    EXPECT_TRUE(sand.advance(0.005, 24));
    EXPECT_NEAR(sand.velocity().x, 1.25, 1e-3) << top;  // 1.19 and 1.23 when the air's share was left out
  }
}

// It does not matter whether the ground moves: on the mean of some lengths of steps, for heaps scatter by 2 %.
TEST(SandStepper, HeapsOnBeltsAreHeaps) {
  Lies still, moving;
  for (const double dt : {0.0065, 0.007, 0.008})
    for (const auto& [sum, speed] : {std::pair(&still, 0.0), {&moving, 1.1}}) {
      const Lies one = collapsed(speed, 0.06, dt);
      sum->wide += one.wide / 3, sum->far += one.far / 3, sum->high += one.high / 3;
    }
  EXPECT_NEAR(moving.wide, still.wide, 0.02 * still.wide);
  EXPECT_NEAR(moving.far, still.far, 0.03 * still.far);  // the farthest grains
  EXPECT_NEAR(moving.high, still.high, 0.02 * still.high);
}

// Nor whether it is the domain's own floor or an obstacle, wherever that cuts the cells.
TEST(SandStepper, FloorsAndObstaclesRubAlike) {
  for (const double friction : {0.3, 0.5}) {
    const Lies floor = collapsed(0, 0, 0.008, friction);
    for (const double top : {0.06, 0.065}) {
      const Lies obstacle = collapsed(0, top, 0.008, friction);
      const double within = top == 0.06 ? 0.03 : 0.05;
      EXPECT_NEAR(obstacle.wide, floor.wide, within * floor.wide) << friction << ' ' << top;
      EXPECT_NEAR(obstacle.far, floor.far, within * floor.far + (top == 0.06 ? 0 : 0.01)) << friction << ' ' << top;
    }
  }
}

// Where a heavy block runs into a light one both go on with the momentum of the first.
TEST(SandStepper, HeavySandPushesHarder) {
  Setting s = sand_setting({40, 12, 1}, Side::open);
  s.gravity = {};
  s.domain.sides[1] = {Side::wall, Side::wall};
  fill(s, Shape::box({0.1, -1, -1}, {0.3, 1, 1}));
  s.fills[0].grains = 0, s.fills[0].velocity = {1, 0, 0};
  fill(s, Shape::box({0.3, -1, -1}, {0.5, 1, 1}));
  SandParams p = with_heavy();
  p.wall_friction = 0;
  SampleSand sand(p, s);
  const auto momentum = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < sand.state.particles.count; ++i)
      sum += (sand.state.particles.source.host()[i] == 0 ? 3 : 1) * sand.state.particles.velocity[0].host()[i];
    return sum;
  };
  const double before = momentum();
  sand.advance(0.005, 10);
  EXPECT_NEAR(momentum(), before, 1e-3 * before);
  EXPECT_NEAR(sand.velocity().x, 0.75, 0.03);
}

double mean_square(const SampleSand& sand) {
  double sum = 0;
  for (std::size_t i = 0; i < sand.state.particles.count; ++i)
    for (int a = 0; a < 2; ++a) sum += std::pow(sand.state.particles.velocity[a].host()[i], 2);
  return sum / double(sand.state.particles.count);
}

// What holds clumps together in flight does not stir a heap that lies, nor does what parts particles. Speeds are
// small beside what gravity gives in a step, 0.1 m/s.
TEST(SandStepper, PairsDoNotStirWhatLies) {
  for (const bool pull : {true, false}) {
    Setting s = sand_setting({28, 12, 1}, Side::wall);
    fill(s, Shape::box({0.18, -1, -1}, {0.38, 0.12, 1}));
    SandParams p;
    if (pull)
      p.grains.cohesion = 200, p.pair_cohesion = 1;
    else
      p.separation = 0.4;
    SampleSand sand(p, s);
    EXPECT_TRUE(sand.advance(0.01, 120));
    EXPECT_LT(std::sqrt(mean_square(sand)), 0.003) << pull;
  }
}

/// Everything that sand remembers, so many cells farther along the periodic axes.
void shift(SampleSand& sand, Int3 by) {
  const Domain& domain = sand.setting.domain;
  const Box& cells = domain.cells;
  const auto moved = [&](Cell c) {
    for (int a = 0; a < 3; ++a)
      if (domain.lattice.active[a] && domain.periodic(a))
        c[a] = cells.lo[a] + (c[a] - cells.lo[a] + by[a]) % cells.size()[a];
    return c;
  };
  SandState& state = sand.state;
  for (std::size_t i = 0; i < state.particles.count; ++i) {
    Cell c{};
    for (int a = 0; a < domain.lattice.dims(); ++a) c[a] = state.particles.cell[a].host()[i];
    for (int a = 0; a < domain.lattice.dims(); ++a) state.particles.cell[a].host()[i] = moved(c)[a];
  }
  const Field<double> pressure = state.pressure;
  const CornerStress stress = state.stress;
  for_each(state.grid, [&](Cell c) {
    state.pressure.at(moved(c)) = pressure(c);
    for (int m = 0; m < stress.numbers(); ++m)
      state.stress.update(sand.exec).at(moved(c))[m * lane_count] = stress.read(sand.exec).at(c)[m * lane_count];
  });
}

/// The largest difference of any grain's velocity [m/s].
double largest_difference(const SampleSand& one, const SampleSand& other) {
  const auto by_id = [](const Particles& all) {
    std::vector<std::size_t> out(all.count);
    for (std::size_t i = 0; i < all.count; ++i) out[all.id.host()[i]] = i;
    return out;
  };
  const Particles &a = one.state.particles, &b = other.state.particles;
  const std::vector<std::size_t> in_a = by_id(a), in_b = by_id(b);
  double out = 0;
  for (std::size_t id = 0; id < a.count; ++id)
    for (int k = 0; k < one.setting.domain.lattice.dims(); ++k)
      out = std::max(out, std::abs(double(a.velocity[k].host()[in_a[id]]) - b.velocity[k].host()[in_b[id]]));
  return out;
}

/// A heap on a belt, as it falls apart: how much the velocities of its grains come to differ in some steps if it lies
/// so much farther in its periodic box, over what gravity adds to them in a step.
double seam_shows(int dims, double leans, SandModel model, Int3 by) {
  constexpr double speed = 3, dt = 0.005;
  Setting s = sand_setting(dims == 2 ? Int3{64, 24, 1} : Int3{32, 8, 24}, Side::open);
  for (int a = 0; a + 1 < dims; ++a) s.domain.sides[a] = {Side::periodic, Side::periodic};
  s.domain.sides[dims - 1][0] = Side::wall;
  s.gravity.x = leans;
  Wall belt;
  belt.axis = dims - 1, belt.velocity = Animated<Vec3d>(Vec3d{speed, 0, 0});
  s.walls.push_back(belt);
  Vec3d top{0.5, 0.1, 1};
  top[dims - 1] = dims == 2 ? 0.3 : 0.16;
  fill(s, Shape::box({0.2, -1, -1}, top), {speed, 0, 0});
  // A rigid group that goes on at the other end does not turn, so let there be such a group wherever the heap lies.
  if (model == SandModel::rigid_plastic) fill(s, Shape::box({-1, -1, -1}, {2, 0.1, 1}), {speed, 0, 0});
  SandParams p;
  p.model = model;
  SampleSand here(p, s), there(p, s);
  for (SampleSand* sand : {&here, &there}) EXPECT_TRUE(sand->advance(dt, 8));
  shift(there, by);
  for (SampleSand* sand : {&here, &there}) EXPECT_TRUE(sand->advance(dt, 6));
  return largest_difference(here, there) / (g * dt);
}

// Sand does not feel where a periodic box ends, be it at rest or on its way through: the heap lies across that after it
// has been shifted. By whole tiles: coarser lattices are then the same, and what differs is rounding alone.
TEST(SandStepper, EndsOfPeriodicBoxesAreNotFelt) {
  constexpr double rounding = 1e-3;
  for (const double leans : {0.0, 2.0}) {
    EXPECT_LT(seam_shows(2, leans, SandModel::constrained, {32, 0, 0}), rounding) << leans;
    EXPECT_LT(seam_shows(3, leans, SandModel::constrained, {16, 4, 0}), rounding) << leans;
  }
  EXPECT_LT(seam_shows(2, 0, SandModel::rigid_plastic, {32, 0, 0}), rounding);
}

}  // namespace
}  // namespace silt

#include "silt/physics/liquid/wall_layer.h"

#include <gtest/gtest.h>

#include <numbers>

#include "silt/physics/liquid/liquid_model.h"
#include "silt/physics/liquid/test_tools.h"

namespace silt {
namespace {

using namespace test;

constexpr double height = 0.25;  ///< of an obstacle that is the floor [m]

/// A channel without ends, a metre long, 0.4 m of water in it. Its floor, that of the domain or an obstacle, may move.
struct Channel {
  int n = 32;
  double viscosity = 4e-5;
  double speed = 0.3, floor_speed = 0;
  bool obstacle = false, slides = false;

  Flow flow() const {
    Setting s = make_setting(2, n, Side::periodic);
    s.domain.sides[1] = {Side::wall, Side::open};
    if (obstacle) {
      Obstacle floor;
      floor.shape = Shape::box({-9, -1, -1}, {9, height, 1});
      floor.no_slip = !slides;
      if (floor_speed != 0)
        floor.motion.position = Animated<Vec3d>({{0.0, Vec3d{}}, {4.0, Vec3d{4 * floor_speed, 0, 0}}}, Between::linear);
      s.obstacles.push_back(floor);
    } else {
      Wall floor;
      floor.axis = 1, floor.no_slip = !slides, floor.velocity = Vec3d{floor_speed, 0, 0};
      s.walls.push_back(floor);
    }
    fill(s, Shape::box({-1, -1, -1}, {2, 0.4 + (obstacle ? height : 0), 2}), {speed, 0, 0});
    LiquidParams params;
    params.wall_viscosity = viscosity;
    return Flow(params, s);
  }

  /// What the floor has taken of the water's momentum, per area, density and relative speed [m].
  double lost(const Flow& run) const {
    const Lattice& lattice = run.setting.domain.lattice;
    return double(run.particles()) * lattice.cell_volume() / 4 * (speed - run.velocity().x) / (speed - floor_speed);
  }
};

double stokes(double viscosity, double time) {
  return 2 * std::sqrt(viscosity * time / std::numbers::pi);
}

// A plate that is set going under water at rest takes 2 sqrt(nu t / pi) of it along, whatever the cells: those of 1/16
// are ten times as thick as the layer, those of 1/64 are not twice. It takes 3 to 7 % more: cells with few particles
// count as shallow. Without the momentum that particles give to faces behind the wall it was 25 % less.
TEST(WallLayer, AStreamLosesWhatStokesSays) {
  for (const int n : {16, 32, 64}) {
    const Channel channel{.n = n};
    Flow run = channel.flow();
    for (const double time : {0.5, 1.0}) {
      run.advance(1.0 / 64, 32);
      const double layer = stokes(channel.viscosity, time);
      EXPECT_NEAR(channel.lost(run), layer, 0.08 * layer) << n << " " << time;
    }
  }
}

// Only what is relative to the floor counts: a belt under water at rest drags it along as much. The last moves three
// cells in a step, round the channel.
TEST(WallLayer, ABeltDragsAsAStreamIsHeld) {
  for (const double belt : {-0.3, 1.7, 6.0}) {
    const Channel channel{.speed = belt + 0.3, .floor_speed = belt};
    Flow run = channel.flow();
    run.advance(1.0 / 64, 64);
    const double layer = stokes(channel.viscosity, 1);
    EXPECT_NEAR(channel.lost(run), layer, 0.08 * layer) << belt;
  }
}

TEST(WallLayer, ObstaclesRubAsWallsDo) {
  const double layer = stokes(Channel().viscosity, 1);
  for (const double moves : {0.0, -0.3}) {
    const Channel channel{.speed = moves + 0.3, .floor_speed = moves, .obstacle = true};
    Flow run = channel.flow();
    run.advance(1.0 / 64, 64);
    EXPECT_NEAR(channel.lost(run), layer, 0.3 * layer) << moves;
  }
  for (const bool obstacle : {false, true}) {
    const Channel channel{.obstacle = obstacle, .slides = true};
    Flow run = channel.flow();
    run.advance(1.0 / 64, 64);
    EXPECT_NEAR(channel.lost(run), 0, 1e-3 * layer);
  }
}

// Beyond U^2 t / nu = 3e5 the layer is turbulent: 0.038 U t (U^2 t / nu)^(-1/5), here six times the laminar one.
TEST(WallLayer, AFastStreamLosesMore) {
  const Channel channel{.viscosity = 1e-6, .speed = 3};
  Flow run = channel.flow();
  run.advance(1.0 / 48, 96);
  const double layer = 0.038 * 3 * run.time * std::pow(9 * run.time / 1e-6, -0.2);
  EXPECT_GT(layer, 4 * stokes(1e-6, run.time));
  EXPECT_NEAR(channel.lost(run), layer, 0.05 * layer);
}

// A film that nothing drives stops at the rate of its slowest mode, pi^2 nu / (4 d^2), and early on as a deep layer
// does; steps of any length come to the same.
TEST(WallLayer, FilmsStop) {
  const LayerPart film{0, 1e-3, true}, deep{0, 1e-3, false};
  constexpr double nu = 1e-6, pi = std::numbers::pi;
  EXPECT_NEAR(share_kept(nu, 2.5, 0.5, 1, film), std::exp(-0.25 * pi * pi * 0.5), 1e-12);
  EXPECT_NEAR(share_kept(nu, 0.01, 0.01, 0.1, film), share_kept(nu, 0.01, 0.01, 0.1, deep), 1e-6);
  for (const LayerPart& part : {film, deep}) {
    double kept = 1;
    for (int i = 1; i <= 64; ++i) kept *= share_kept(nu, i / 64.0, 1 / 64.0, 0.1, part);
    EXPECT_NEAR(kept, share_kept(nu, 1, 1, 0.1, part), 1e-9);
  }
}

// Ages follow the grids, which follow the water: a floor that has been wet from the start is as old as the run, what
// the front came to last is new, and what is dry has none.
TEST(WallLayer, AgesFollowTheWater) {
  Setting s = make_setting(2, 64, Side::wall);
  Wall floor;
  floor.axis = 1, floor.no_slip = true;
  s.walls.push_back(floor);
  fill(s, Shape::box({-1, -1, -1}, {0.15, 0.3, 2}));
  Flow run({}, s);
  const Box first = run.state.pools[0].domain.cells;
  run.advance(1.0 / 128, 32);
  LiquidPool& pool = run.state.pools[0];
  ASSERT_NE(first, Box(pool.domain.cells)) << "the box has followed";
  EXPECT_NEAR(pool.wetted.at({2, 0, 0}), run.time, 1e-9);
  double before = run.time + 1e-9;
  int wet = 0;
  for (int x = 0; x < pool.domain.cells.hi.x && pool.wetted.at({x, 0, 0}) > 0; ++x, ++wet) {
    EXPECT_LE(pool.wetted.at({x, 0, 0}), before + 1e-9) << x;
    before = pool.wetted.at({x, 0, 0});
  }
  EXPECT_GT(wet, 20);
  EXPECT_LT(before, 0.05);
  EXPECT_EQ(pool.wetted.at({2, 2, 0}), 0) << "not beside a wall";
}

}  // namespace
}  // namespace silt

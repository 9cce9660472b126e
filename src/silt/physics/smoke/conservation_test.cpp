#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "silt/physics/smoke/smoke_model.h"
#include "silt/physics/smoke/test_rig.h"

// What smoke carries is there as long as nothing makes or takes it: by the fluxes, on any grid, beside any solid.
namespace silt {
namespace {

using test::for_each, test::Rig;

/// A hot puff of smoke in a box with gravity; walls all round.
Setting puff_in_a_box(int n, int dims) {
  Setting s = test::unit_box(n, dims);
  s.gravity = test::gravity(dims);
  Fill fill{"puff", Shape::sphere(dims == 3 ? Vec3d{0.5, 0.5, 0.25} : Vec3d{0.5, 0.25, 0}, 0.15), 1, 400, {}, {}};
  s.fills = {fill};
  return s;
}

Obstacle obstacle(const Shape& shape) {
  Obstacle out;
  out.name = "solid";
  out.shape = shape;
  return out;
}

/// A ball to and fro through the rising puff, eight times as it goes up.
Obstacle swinging_ball(int dims) {
  Obstacle out = obstacle(Shape::sphere({0.3, 0.5, dims == 3 ? 0.5 : 0.0}, 0.12));
  std::vector<std::pair<double, Vec3d>> keys;
  for (int i = 0; i < 20; ++i) keys.push_back({0.3 * i, {i % 2 ? 0.4 : 0.0, i % 2 ? 0.03 : 0.0, 0}});
  out.motion.position = Animated<Vec3d>(keys, Between::linear);
  return out;
}

Obstacle paddle() {
  Obstacle out = obstacle(Shape::box({0.25, 0.46, -1}, {0.75, 0.53, 1}));
  out.motion.pivot = {0.5, 0.5, 0};
  out.motion.spin = 120.0;
  return out;
}

struct Amounts {
  double smoke, heat;
};

/// Sums of V c, V the open part of each cell.
Amounts amounts(Rig& rig, double time) {
  rig.stepper.place_solids(rig.exec, time);
  const Field<float>& room = rig.stepper.workspace().room;
  const Field<float>* open = room.allocated() ? &room : nullptr;
  return {room_sum(rig.exec, rig.setting.domain, rig.state.density, open),
          room_sum(rig.exec, rig.setting.domain, rig.state.temperature, open)};
}

struct Outcome {
  double smoke_gain, heat_gain;  ///< at the end, as parts
  double lowest, highest;        ///< density that was ever there
};

Outcome carry(const Setting& s, int steps, double dt, const SmokeParams& params = {}) {
  Rig rig(s, params);
  rig.start();
  const Amounts before = amounts(rig, 0);
  Outcome out{0, 0, 0, 0};
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(rig.substep(i * dt, dt).problem, "");
    for_each(s.domain.cells, [&](Cell c) {
      out.lowest = std::min<double>(out.lowest, rig.state.density(c));
      out.highest = std::max<double>(out.highest, rig.state.density(c));
    });
  }
  const Amounts after = amounts(rig, steps * dt);
  out.smoke_gain = after.smoke / before.smoke - 1, out.heat_gain = after.heat / before.heat - 1;
  return out;
}

constexpr double tolerance = 1e-6;

void expect_kept(const Outcome& out) {
  EXPECT_LT(std::abs(out.smoke_gain), tolerance);
  EXPECT_LT(std::abs(out.heat_gain), tolerance);
  EXPECT_GE(out.lowest, 0);
}

// The advective form gains 0.3 of the smoke in the plane.
TEST(SmokeConservation, AClosedBoxKeepsItsSmokeAndItsHeat) {
  expect_kept(carry(puff_in_a_box(48, 2), 200, 0.03));
  expect_kept(carry(puff_in_a_box(17, 3), 40, 0.06));
}

TEST(SmokeConservation, APeriodicBoxKeepsThem) {
  Setting s = puff_in_a_box(32, 2);
  for (auto& sides : s.domain.sides) sides = {Side::periodic, Side::periodic};
  s.fills[0].velocity = Vec3d{1, 0.3, 0};
  expect_kept(carry(s, 150, 0.05));
  s = puff_in_a_box(12, 3);
  s.domain.sides[0] = s.domain.sides[1] = {Side::periodic, Side::periodic};
  s.fills[0].shape = Shape::sphere({0, 0, 0.3}, 0.2);
  expect_kept(carry(s, 30, 0.08));
}

TEST(SmokeConservation, SolidsInTheBoxChangeNothing) {
  Setting s = puff_in_a_box(48, 2);
  s.obstacles = {obstacle(Shape::sphere({0.47, 0.61, 0}, 0.13)),
                 obstacle(Shape::box({0.6, 0.3, -1}, {0.95, 0.345, 1}))};
  s.obstacles[1].motion.pivot = {0.8, 0.3, 0};
  s.obstacles[1].motion.rotation = Vec3d{0, 0, 20};
  expect_kept(carry(s, 200, 0.03));
  s = puff_in_a_box(16, 3);
  s.obstacles = {obstacle(Shape::sphere({0.47, 0.52, 0.61}, 0.17))};
  expect_kept(carry(s, 40, 0.06));
}

TEST(SmokeConservation, MovingSolidsPushItAndLoseNone) {
  Setting s = puff_in_a_box(40, 2);
  s.obstacles = {swinging_ball(2)};
  expect_kept(carry(s, 200, 0.02));
  s.obstacles = {paddle()};
  expect_kept(carry(s, 200, 0.02));
  s = puff_in_a_box(14, 3);
  s.obstacles = {swinging_ball(3)};
  expect_kept(carry(s, 40, 0.04));
}

// Its tips cross two cells in a step, and fill cells whose neighbours they fill, too.
TEST(SmokeConservation, AFastBladeLosesNone) {
  Setting s = puff_in_a_box(64, 2);
  s.obstacles = {paddle()};
  s.obstacles[0].shape = Shape::box({0.15, 0.47, -1}, {0.85, 0.53, 1});
  s.obstacles[0].motion.spin = 300.0;
  expect_kept(carry(s, 60, 0.02));
}

// Monotone: the puff is 1 where it is, and nothing makes it thicker; but a pressure solved to 1e-5 is not quite free
// of divergence.
TEST(SmokeConservation, NothingIsThickerThanItWas) {
  Setting s = puff_in_a_box(48, 2);
  EXPECT_LT(carry(s, 150, 0.03).highest, 1 + 1e-4);
  s.obstacles = {obstacle(Shape::sphere({0.47, 0.61, 0}, 0.13))};
  EXPECT_LT(carry(s, 150, 0.03).highest, 1 + 1e-4);
}

/// Largest |c - 1| of smoke that was 1 everywhere.
double unevenness(Setting s, int steps, double dt) {
  s.fills = {Fill{"all", {}, 1, 293, {}, {}}, Fill{"hot", s.fills[0].shape, 1, 400, {}, {}}};
  Rig rig(s);
  rig.start();
  for (int i = 0; i < steps; ++i) rig.substep(i * dt, dt);
  rig.stepper.place_solids(rig.exec, steps * dt);
  const Field<float>& room = rig.stepper.workspace().room;
  double most = 0;
  for_each(s.domain.cells, [&](Cell c) {
    if (!room.allocated() || room(c) > 0) most = std::max<double>(most, std::abs(rig.state.density(c) - 1));
  });
  return most;
}

TEST(SmokeConservation, UniformSmokeStaysUniform) {
  Setting s = puff_in_a_box(40, 2);
  EXPECT_LT(unevenness(s, 150, 0.03), 5e-5);
  s.obstacles = {obstacle(Shape::sphere({0.47, 0.61, 0}, 0.13))};
  EXPECT_LT(unevenness(s, 150, 0.03), 5e-5);
}

TEST(SmokeConservation, UniformSmokeStaysUniformBesideWhatMoves) {
  Setting s = puff_in_a_box(40, 2);
  s.obstacles = {swinging_ball(2)};
  EXPECT_LT(unevenness(s, 100, 0.02), 2e-3);
  s.obstacles = {paddle()};
  EXPECT_LT(unevenness(s, 100, 0.02), 2e-3);
}

// Two colours that mix, and fuel too cold to burn: as much red, green, blue and fuel as there was.
TEST(SmokeConservation, ColoursAndFuelAreKept) {
  Setting s = puff_in_a_box(40, 2);
  s.fills.push_back(s.fills[0]);
  s.fills[0].colour = Vec3d{0.9, 0.2, 0.1};
  s.fills[1].shape = Shape::sphere({0.6, 0.6, 0}, 0.15);
  s.fills[1].colour = Vec3d{0.1, 0.3, 0.8};
  s.fills[1].temperature = 293;
  s.fills[1].fuel = 1;
  s.obstacles = {obstacle(Shape::sphere({0.43, 0.52, 0}, 0.1))};
  Rig rig(s, {}, {.colour = true, .fuel = true});
  rig.start();
  const Field<float>* fields[4] = {&rig.state.colour[0], &rig.state.colour[1], &rig.state.colour[2], &rig.state.fuel};
  const auto sums = [&] {
    std::array<double, 4> out{};
    for (int i = 0; i < 4; ++i)
      out[std::size_t(i)] = room_sum(rig.exec, s.domain, *fields[i], &rig.stepper.workspace().room);
    return out;
  };
  rig.stepper.place_solids(rig.exec, 0);
  const auto before = sums();
  for (int i = 0; i < 150; ++i) rig.substep(0.03 * i, 0.03);
  const auto after = sums();
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(after[i] / before[i], 1, 1e-5) << i;
  for_each(s.domain.cells, [&](Cell c) {
    if (rig.state.density(c) < 1e-4) return;
    const double red = rig.state.colour[0](c) / rig.state.density(c);
    EXPECT_GE(red, 0.1 - 1e-3);
    EXPECT_LE(red, 0.9 + 1e-3);
  });
}

// The totals of a model count what the cells hold.
TEST(SmokeConservation, TheTotalsSayWhatThereIs) {
  Setting s = puff_in_a_box(32, 2);
  s.fills[0].shape.reset();
  s.obstacles = {obstacle(Shape::sphere({0.5, 0.5, 0}, 0.2))};
  const auto model = make_smoke_model({}, s);
  const Exec exec(Device::cpu, 1);
  model->start(exec);
  EXPECT_NEAR(model->totals(exec, 0).mass, 1 - 3.14159265 * 0.04, 1e-3);
}

}  // namespace
}  // namespace silt

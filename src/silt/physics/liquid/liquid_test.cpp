#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "silt/fields/level_set.h"
#include "silt/physics/common/particle_sums.h"
#include "silt/physics/common/push_out.h"
#include "silt/physics/liquid/liquid_kernels.h"
#include "silt/physics/liquid/liquid_model.h"
#include "silt/physics/liquid/liquid_stepper.h"
#include "silt/physics/liquid/packed_field.h"
#include "silt/physics/liquid/test_tools.h"

namespace silt {
namespace {

using namespace test;

TEST(Liquid, APoolStaysAtRest) {
  for (const double height : {0.4, 0.41, 0.43}) {
    Setting s = make_setting(2, 32, Side::wall);
    fill(s, Shape::box({-1, -1, -1}, {2, height, 2}));
    Flow run({}, s);
    const double before = run.volume();
    EXPECT_NEAR(before, height, 0.15 / 32);
    double fastest = 0;
    for (int i = 0; i < 20; ++i) {
      run.advance(0.02, 5);
      fastest = std::max(fastest, run.fastest());
    }
    EXPECT_LT(fastest, 2e-2 * std::sqrt(g * height)) << height;
    EXPECT_NEAR(run.volume(), before, 0.1 / 32) << height;
  }
}

// Crowds are evened out at a rate of the flow, whatever the step: with a share in every substep the drift of particles
// would not fall with h, and would move water at rest. Besides, straight lines change volumes by -dt^2/2 tr(grad u grad
// u), which is made up for.
TEST(Liquid, CrowdsSpreadAsFastAsTheFlowDeforms) {
  const Setting s = make_setting(2, 16, Side::wall);
  const double h = s.domain.lattice.h, rate = 0.3, crowded = 1.2, strain = 2, shear = 1;
  const Layout layout = make_layout(s.domain.cells, s.domain.lattice.active);
  const auto everywhere = [](auto& field, auto value) {
    auto* values = field.values().host();
    std::fill(values, values + field.values().size(), value);
  };
  Field<float> capacity(layout), room(layout), depth(layout), phi(layout);
  everywhere(capacity, 1.0f), everywhere(room, 1.0f), everywhere(depth, 1.0f), everywhere(phi, float(-h));
  MacField<float> weight(layout), flow(layout), rest(layout);
  for (int a = 0; a < 2; ++a) everywhere(weight[a], float(4 * crowded));
  for (int j = -1; j < 17; ++j)
    for (int i = -1; i < 17; ++i) {
      flow[0].at({i, j, 0}) = float((strain * i + shear * j) * h);
      flow[1].at({i, j, 0}) = float(-strain * j * h);
    }
  Field<double> out(layout);
  const Cell middle{8, 8, 0};
  for (const double dt : {0.001, 0.01}) {
    find_crowding(serial, s.domain, weight, capacity, room, depth, phi, flow, rate, dt, out);
    const double spread = rate * std::sqrt(2 * strain * strain + shear * shear) * (crowded - 1);
    const double straight = 0.5 * dt * (2 * strain * strain);
    EXPECT_NEAR(out(middle), h * h * (spread + straight), 1e-5 * h * h);
    find_crowding(serial, s.domain, weight, capacity, room, depth, phi, rest, rate, dt, out);
    EXPECT_EQ(out(middle), 0);
    // What a solid all but fills has little to give.
    room.at(middle) = 0.01f;
    find_crowding(serial, s.domain, weight, capacity, room, depth, phi, flow, rate, dt, out);
    EXPECT_NEAR(out(middle), 0.01 * h * h * (spread + straight), 1e-7 * h * h);
    room.at(middle) = 1;
  }
}

// A level set on these cells cannot tell how thick a sheet of less than a cell is: there the particles tell the volume.
TEST(Liquid, ThinSheetsCountByTheirParticles) {
  for (const double thickness : {0.05, 0.5}) {  // 0.8 and 8 cells
    Setting s = make_setting(3, 16, Side::wall);
    fill(s, Shape::box({-1, -1, 0.25}, {2, 2, 0.25 + thickness}));
    Flow run({}, s);
    const double of_level_set = run.volume();
    const LiquidPool& pool = run.state.pools[0];
    const LiquidWorkspace& work = *run.stepper.work()[0];
    const double of_particles = double(pool.particles.count) / 8 / (16 * 16 * 16);
    const double volume = liquid_volume(serial, pool.domain, work.phi, work.ranges);
    if (thickness < 0.1) {
      EXPECT_GT(std::abs(of_level_set / of_particles - 1), 0.1);
      EXPECT_NEAR(volume, of_particles, 1e-6);
    } else {
      EXPECT_NEAR(volume, of_level_set, 1e-9);
    }
  }
}

// Spray comes together unhindered: were the room between its drops liquid, nothing could ever drive the air out of it.
TEST(Liquid, SprayFliesFreely) {
  Setting s = make_setting(3, 16, Side::open);
  s.gravity = {};
  fill(s, Shape::box({0.2, 0.2, 0.2}, {0.8, 0.8, 0.8}));
  Flow run({}, s);
  Particles& p = run.state.pools[0].particles;
  for (std::size_t i = 0; i < p.count; ++i) {
    p.velocity[2].host()[i] = float(-2 * ((p.cell[2].host()[i] + p.offset[2].host()[i]) / 16 - 0.5));
    if (p.id.host()[i] * 7919 % 1000 < 800) p.cell[0].host()[i] = Particles::dead;
  }
  run.stepper.gather(serial, 0, run.state);
  const auto energy = [&] { return sum_particles(serial, run.state.pools[0].particles).squares; };
  const double before = energy();
  run.advance(0.01, 10);
  EXPECT_NEAR(energy() / before, 1, 0.1);
}

// The pressure of the water below holds the water up, and not the drops above it.
TEST(Liquid, DropsFallOntoAPool) {
  Setting s = make_setting(2, 32, Side::wall);
  fill(s, Shape::box({-1, -1, -1}, {2, 0.4, 2}));
  Flow run({}, s);
  Particles& p = run.state.pools[0].particles;
  const std::size_t drop = append(serial, p, 1);
  for (int a = 0; a < 2; ++a) p.cell[a].host()[drop] = a == 0 ? 16 : 15, p.offset[a].host()[drop] = 0.5f;
  const std::uint64_t id = p.id.host()[drop] = p.born++;
  run.state.born = p.born;
  run.advance(0.01, 5);
  const Particles& after = run.state.pools[0].particles;
  for (std::size_t i = 0; i < after.count; ++i)
    if (after.id.host()[i] == id) {
      EXPECT_NEAR(after.velocity[1].host()[i], -g * 0.05, 0.02);
    }
}

// Films of less than a cell, on a ledge whose top is a cell's, or lies anywhere in one, or slopes: down the slope they
// get g sin cos t, and where they lie they would get g t. Single particles are faster, by 0.5 m/s on the mean of all
// films; it was 0.95, and 5.9 for one, where films whose cells' centres are in the solid were air, and where others had
// their surface so near the centres that all that sank shot out to the sides.
TEST(Liquid, FilmsOnSolidsDoNotFallWhereTheyLie) {
  constexpr int n = 16, steps = 60;
  constexpr double h = 1.0 / n, dt = 0.01;
  double sum = 0;
  int films = 0;
  for (int tenth = 0; tenth < 10; ++tenth)
    for (const double slope : {0.0, 0.03, 0.1, 0.2, 0.4}) {
      const double top = (8 + 0.1 * tenth) * h;
      Setting s = make_setting(2, 16, Side::wall);
      Obstacle ledge;
      ledge.shape = Shape::plane({0.5, top, 0}, {slope, 1, 0});
      s.obstacles.push_back(ledge);
      fill(s, Shape::subtract(Shape::plane({0.5, top + 0.4 * h, 0}, {slope, 1, 0}), ledge.shape.at(0)));
      Flow run({}, s);
      ASSERT_GE(run.particles(), 16u) << top;
      double beyond = 0;
      for (int i = 1; i <= steps; ++i) {
        run.advance(dt, 1);
        beyond = std::max(beyond, run.fastest() - slope * g * dt * i);
      }
      EXPECT_LT(beyond, 0.4 * g * dt * steps) << top << " " << slope;
      sum += beyond, ++films;
    }
  EXPECT_LT(sum / films, 0.6);
}

// What can give way to all sides sinks, and has that speed; not more, however long it has lain there.
TEST(Liquid, APatchOnASolidHasNoMoreEnergyThanItsHeightGives) {
  const int n = 32;
  const double h = 1.0 / n;
  Setting s = make_setting(3, n, Side::wall);
  Obstacle floor;
  floor.shape = Shape::box({-1, -1, 0.1}, {2, 2, 8 * h});
  s.obstacles.push_back(floor);
  fill(s, Shape::box({0.3, 0.3, 8 * h}, {0.4, 0.4, 9 * h}));
  Flow run({}, s);
  run.advance(0.005, 100);
  const Particles& p = run.state.pools.at(0).particles;
  EXPECT_LT(sum_particles(serial, p).squares / 2, g * h * double(p.count));
}

// Drops without a grid move by their own velocity, past a solid if the step is too long.
TEST(Liquid, StepsAreShortEnoughForSprayToo) {
  const double h = 1.0 / 64;
  Setting s = make_setting(3, 64, Side::open);
  s.gravity = {};
  fill(s, Shape::box({0.1, 0.1, 0.1}, {0.2, 0.2, 0.2}));
  fill(s, Shape::sphere({0.85, 0.85, 0.85}, 0.7 * h), {50, 0, 0});
  const LiquidParams params;
  const auto model = make_liquid_model(params, s);
  model->start(serial);
  EXPECT_NEAR(model->stable_step(serial, 0), params.cfl * h / 50, 1e-6);
  Flow run(params, s);
  EXPECT_GT(run.state.spray.count, 0u);
}

TEST(Liquid, ADropFallsFreely) {
  for (const int dims : {2, 3}) {
    Setting s = make_setting(dims, 16, Side::open);
    fill(s, Shape::sphere({0.5, 0.5, dims == 3 ? 0.5 : 0}, 0.2), {0.5, 0, 0});
    Flow run({}, s);
    const double before = run.volume();
    run.advance(0.02, 40);  // 3.1 m, far out of the domain
    const Vec3d v = run.velocity();
    EXPECT_NEAR(v[dims - 1], -g * 0.8, 1e-3);
    EXPECT_NEAR(v.x, 0.5, 1e-4);
    EXPECT_NEAR(run.volume(), before, 0.04 * before);
    EXPECT_EQ(run.state.pools.size(), 1u);
  }
}

TEST(Liquid, DropsFarApartHaveGridsOfTheirOwnUntilTheyMeet) {
  Setting s = make_setting(2, 32, Side::open);
  s.gravity = {};
  const Shape left = Shape::sphere({-2, 0.5, 0}, 0.15), right = Shape::sphere({2, 0.5, 0}, 0.15);
  s.domain.cells = {{-96, 0, 0}, {96, 32, 1}};
  fill(s, left, {2, 0, 0});
  fill(s, right, {-2, 0, 0});
  Flow run({}, s);
  ASSERT_EQ(run.state.pools.size(), 2u);
  EXPECT_LT(run.state.pools[0].domain.cells.hi.x, run.state.pools[1].domain.cells.lo.x);
  std::set<std::uint64_t> ids;
  const std::size_t count = run.particles();
  run.advance(0.025, 44);
  EXPECT_EQ(run.state.pools.size(), 1u);
  for (const LiquidPool& pool : run.state.pools)
    ids.insert(pool.particles.id.host(), pool.particles.id.host() + pool.particles.count);
  EXPECT_EQ(ids.size(), run.particles());
  EXPECT_EQ(run.state.born - run.state.died, run.particles());
  EXPECT_NEAR(double(run.particles()), double(count), 0.05 * double(count));
  EXPECT_NEAR(run.velocity().x, 0, 0.03);
}

/// The particles of the only pool of each: the same, bit for bit.
void expect_same_particles(const Flow& a, const Flow& b) {
  ASSERT_EQ(a.state.pools.size(), b.state.pools.size());
  for (std::size_t n = 0; n < a.state.pools.size(); ++n) {
    const Particles &p = a.state.pools[n].particles, &q = b.state.pools[n].particles;
    ASSERT_EQ(p.count, q.count);
    for (int axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0; i < p.count; ++i) {
        ASSERT_EQ(p.id.host()[i], q.id.host()[i]);
        ASSERT_EQ(p.offset[axis].host()[i], q.offset[axis].host()[i]) << i;
        ASSERT_EQ(p.velocity[axis].host()[i], q.velocity[axis].host()[i]) << i;
      }
  }
}

/// Three rods of water along the edges of a cube of 56 cells, which move: their box is nearly empty.
Setting three_rods() {
  const int n = 56;
  Setting s = make_setting(3, n, Side::open);
  s.gravity = {};
  const double h = 1.0 / n, thick = 3 * h;
  fill(s, Shape::box({8 * h, 8 * h, 8 * h}, {1 - 8 * h, 8 * h + thick, 8 * h + thick}), {0, 1, 0.5});
  fill(s, Shape::box({8 * h, 8 * h, 8 * h}, {8 * h + thick, 1 - 8 * h, 8 * h + thick}), {0.5, 0, 1});
  fill(s, Shape::box({8 * h, 8 * h, 8 * h}, {8 * h + thick, 8 * h + thick, 1 - 8 * h}), {1, 0.5, 0});
  return s;
}

// Rows come into use and go out of it in every step. What is left of a cell's values when it goes out would show.
TEST(Liquid, CellsFarFromAllParticlesAreLeftOutAndNothingChanges) {
  const Setting s = three_rods();
  const Exec three(Device::cpu, 3, 1);
  Flow some({}, s), shared({}, s, three), all({}, s, serial, 0, /*leave_out=*/false);
  for (Flow* run : {&some, &shared, &all}) run->advance(0.02, 10);
  const Cells& cells = some.stepper.work()[0]->domain.cells;
  ASSERT_NE(cells.rows, nullptr);
  EXPECT_LT(double(cells.used()), 0.4 * double(cells.count()));
  expect_same_particles(some, all);
  expect_same_particles(some, shared);
  EXPECT_EQ(some.volume(), all.volume());
}

// Water that falls on a slope and runs off it. What cells were once, beside solids too, must not be seen in what they
// become: by whoever shares the work, or was resumed after every step.
TEST(Liquid, SplashesOnSlopesDependOnNothingThatWas) {
  Setting s = three_rods();
  s.gravity = {0, 0, -g};
  Obstacle slope;
  slope.name = "slope";
  slope.shape = Shape::plane({0.3, 0.3, 0.14}, normalized(Vec3d{-0.5, -0.2, 1}));
  s.obstacles.push_back(slope);
  const Exec three(Device::cpu, 3, 1);
  Flow some({}, s), shared({}, s, three), resumed({}, s);
  constexpr int steps = 12;
  constexpr double dt = 0.012;
  for (Flow* run : {&some, &shared}) run->advance(dt, steps);
  for (int n = 0; n < steps; ++n, resumed.time += dt) {
    LiquidStepper fresh(resumed.params, s, 0);
    fresh.gather(serial, resumed.time, resumed.state);
    fresh.substep(serial, resumed.time, dt, resumed.state);
    fresh.gather(serial, resumed.time + dt, resumed.state);
  }
  ASSERT_NE(some.stepper.work()[0]->domain.cells.rows, nullptr);
  expect_same_particles(some, shared);
  expect_same_particles(some, resumed);
}

// A twig of the rods is taken away. Pressures where it was must be gone whether the run went on or was resumed there:
// they are part of what persists, and of where a later solve begins.
TEST(Liquid, PressuresRestWhereNoCellsAreInUse) {
  Setting s = three_rods();
  s.gravity = {0, 0, -g};
  const double h = s.domain.lattice.h;
  fill(s, Shape::box({11 * h, 28 * h, 8 * h}, {36 * h, 31 * h, 11 * h}), {-1, 0, 0});
  Flow run({}, s);
  run.advance(0.01, 3);
  ASSERT_EQ(run.state.pools.size(), 1u);
  Particles& p = run.state.pools[0].particles;
  for (std::size_t i = 0; i < p.count; ++i)
    if (p.cell[0].host()[i] > 14 && p.cell[1].host()[i] > 20) p.cell[0].host()[i] = Particles::dead;
  LiquidState resumed = run.state;
  LiquidStepper other(run.params, s, 0);
  run.stepper.gather(serial, run.time, run.state);
  other.gather(serial, run.time, resumed);
  ASSERT_NE(run.stepper.work()[0]->domain.cells.rows, nullptr);
  const Field<double>&went_on = run.state.pools[0].pressure, &came_back = resumed.pools[0].pressure;
  ASSERT_EQ(went_on.layout(), came_back.layout());
  double sum = 0;
  for (std::size_t i = 0; i < went_on.values().size(); ++i) {
    ASSERT_EQ(went_on.values().host()[i], came_back.values().host()[i]) << i;
    sum += std::abs(went_on.values().host()[i]);
  }
  EXPECT_GT(sum, 0);
}

// An emitter beside a solid makes the grids follow once more after the step. Cells that came into use then, which
// nothing was worked out in, are not liquid that springs up.
TEST(Liquid, DivergenceIsThatOfTheStep) {
  Setting s = three_rods();
  s.gravity = {0, 0, -g};
  Obstacle ball;
  ball.shape = Shape::sphere({0.5, 0.5, 0.8}, 0.05);
  s.obstacles.push_back(ball);
  Emitter jet;
  jet.shape = Shape::sphere({0.5, 0.5, 0.87}, 0.05);
  jet.velocity = Vec3d{0, 0, -1};
  s.emitters.push_back(jet);
  LiquidParams params;
  params.tolerance = 1e-6;
  const auto model = make_liquid_model(params, s);
  model->start(serial);
  for (int i = 0; i < 8; ++i) {
    model->substep(serial, 0.01 * i, 0.01);
    EXPECT_LT(model->totals(serial, 0.01 * (i + 1)).max_divergence, 0.1) << i;
  }
}

// What persists of a field that is nearly all zero is what is not, to the bit; another's takes its place.
TEST(Liquid, PressuresArePackedAndComeBack) {
  const Box cells{{-3, 2, 0}, {40, 9, 4}};
  Field<double> field(make_layout(cells, {1, 1, 1}));
  for (const Cell c : {Cell{-3, 2, 0}, Cell{39, 8, 3}, Cell{12, 5, 3}, Cell{13, 5, 3}}) field.at(c) = 1 + c.x;
  field.at({20, 5, 3}) = -0.0;
  PackedField packed;
  packed.pack(field, cells);
  EXPECT_EQ(packed.runs.size(), 4u * 4);
  EXPECT_EQ(packed.values.size(), 5u);
  Field<double> other(field.layout());
  other.at({30, 5, 3}) = 7;
  packed.unpack(cells, other);
  for (int i = 0; i < field.layout().size; ++i) {
    ASSERT_EQ(other.values().host()[i], field.values().host()[i]) << i;
    ASSERT_EQ(std::signbit(other.values().host()[i]), std::signbit(field.values().host()[i])) << i;
  }
  packed.runs.host()[3] = 100;
  EXPECT_THROW(packed.unpack(cells, other), IoError);
}

/// Memory of this process that has been touched [bytes].
double resident_bytes() {
  std::ifstream pages("/proc/self/statm");
  double all = 0, resident = 0;
  pages >> all >> resident;
  return resident * double(sysconf(_SC_PAGESIZE));
}

// Two drops with a thread between them are one body, in a box of two million cells of which they are near to a
// fiftieth. What they cost is theirs: steps and a frame of the whole box would be 400 bytes a cell of it.
TEST(Liquid, AThreadInALargeBoxCostsWhatTheLiquidCosts) {
  constexpr int n = 128;
  Setting s = make_setting(3, n, Side::open);
  s.gravity = {};
  const Vec3d low{0.1, 0.1, 0.1}, high{0.9, 0.9, 0.9};
  fill(s, Shape::sphere(low, 4.0 / n), {0.1, 0, 0});
  fill(s, Shape::sphere(high, 4.0 / n), {-0.1, 0, 0});
  fill(s, Shape::capsule(low, high, 1.2 / n));
  [[maybe_unused]] const double before = resident_bytes();
  const auto model = make_liquid_model({}, s);
  model->start(serial);
  for (int i = 0; i < 3; ++i) model->substep(serial, 0.01 * i, 0.01);
  Frame frame;
  model->totals(serial, 0.03);
  model->snapshot(serial, 0.03, frame);
  ASSERT_GT(model->cells(), 1.5e6);
#if !defined(__SANITIZE_ADDRESS__)  // which keeps notes of its own
  EXPECT_LT(resident_bytes() - before, 150e6);
#endif
  std::int64_t shown = 0;
  double level_set = 0;
  for (const Volume& v : frame.volumes) {
    if (v.name != "surface") continue;
    shown += v.cells.count();
    for (const float value : v.values) level_set += value < 0;
  }
  EXPECT_LT(shown, model->cells() / 10);
  struct Sizes : StateVisitor {
    std::size_t bytes = 0;
    void operator()(std::string_view, Field<float>& field, const Box&) override { bytes += field.values().bytes(); }
    void operator()(std::string_view, Field<double>& field, const Box&) override { bytes += field.values().bytes(); }
    void operator()(std::string_view, Particles&) override {}
    void operator()(std::string_view, Buffer<float>& values) override { bytes += values.bytes(); }
    void operator()(std::string_view, Buffer<double>& values) override { bytes += values.bytes(); }
    void operator()(std::string_view, Buffer<std::int64_t>& values) override { bytes += values.bytes(); }
  } persists;
  model->visit(persists);
  EXPECT_LT(persists.bytes, 1e6);
  EXPECT_GT(level_set, 500);
}

TEST(Liquid, SameBitsForAnyNumberOfThreadsAndAnyPadding) {
  Setting s = make_setting(3, 16, Side::wall);
  fill(s, Shape::box({-1, -1, -1}, {0.4, 2, 0.6}));
  Obstacle ball;
  ball.shape = Shape::sphere({0.7, 0.5, 0.2}, 0.15);
  s.obstacles.push_back(ball);
  const Exec three(Device::cpu, 3, 1);
  Flow a({}, s), b({}, s, three), c({}, s, serial, 16);
  for (Flow* run : {&a, &b, &c}) run->advance(0.01, 12);
  for (const Flow* other : {&b, &c}) expect_same_particles(a, *other);
}

TEST(Liquid, NothingIsInsideSolidsThatMove) {
  Setting s = make_setting(2, 32, Side::wall);
  fill(s, Shape::box({-1, -1, -1}, {2, 0.4, 2}));
  Obstacle paddle;
  paddle.shape = Shape::box({0.1, 0.1, -1}, {0.2, 0.6, 1});
  paddle.motion.position = Animated<Vec3d>({{0.0, {0, 0, 0}}, {0.5, {0.5, 0, 0}}}, Between::smooth);
  s.obstacles.push_back(paddle);
  Flow run({}, s);
  for (int i = 0; i < 50; ++i) {
    run.advance(0.01, 1);
    for (std::size_t p = 0; p < run.state.pools.size(); ++p) {
      run.stepper.find_surface(serial, run.time, run.state.pools[p], *run.stepper.work()[p]);
      EXPECT_EQ(inside_solid(serial, run.state.pools[p].domain, run.stepper.work()[p]->cut.distance,
                             run.state.pools[p].particles),
                0)
          << i;
    }
  }
}

TEST(Liquid, WhatLeavesThroughEmittersAndSinksIsCounted) {
  Setting s = make_setting(2, 32, Side::wall);
  Emitter jet;
  jet.shape = Shape::box({0, 0.6, -1}, {0.1, 0.75, 1});
  jet.velocity = Vec3d{2, 0, 0};
  s.emitters.push_back(jet);
  Sink drain;
  drain.shape = Shape::box({0.8, -1, -1}, {2, 0.2, 1});
  s.sinks.push_back(drain);
  Flow run({}, s);
  EXPECT_EQ(run.particles(), 0u);
  run.advance(0.01, 60);
  EXPECT_GT(run.particles(), 200u);
  EXPECT_GT(run.state.died, 20u);
  EXPECT_EQ(run.state.born - run.state.died, run.particles());
}

// A lid comes down on a tray and leaves no room for what lies in it.
TEST(Liquid, WhatSolidsSwallowIsCounted) {
  Setting s = make_setting(2, 32, Side::wall);
  fill(s, Shape::box({0.4, -1, -1}, {0.6, 0.1, 1}));
  fill(s, Shape::box({0.8, -1, -1}, {2, 0.1, 1}));
  Obstacle lid, left, right;
  lid.shape = Shape::box({0.3, 0.1, -1}, {0.7, 0.4, 1});
  lid.motion.position = Animated<Vec3d>({{0.0, {0, 0, 0}}, {0.1, {0, -0.15, 0}}}, Between::linear);
  left.shape = Shape::box({0.2, -1, -1}, {0.4, 0.5, 1});
  right.shape = Shape::box({0.6, -1, -1}, {0.8, 0.5, 1});
  s.obstacles = {lid, left, right};
  LiquidParams params;
  params.reseed = false;
  Flow run(params, s);
  const std::size_t before = run.particles();
  run.advance(0.01, 12);
  EXPECT_GT(run.swallowed, 0);
  EXPECT_EQ(run.particles() + std::size_t(run.swallowed), before);
  const std::int64_t first = run.swallowed;
  run.advance(0.01, 5);
  EXPECT_EQ(run.swallowed, first) << "each is counted once";
}

TEST(Liquid, AJetComesOutOfAWallAsFastAsItIsLetOut) {
  Setting s = make_setting(2, 32, Side::wall);
  s.gravity = {};
  Emitter jet;
  jet.shape = Shape::box({-0.1, 0.4, -1}, {0.1, 0.6, 1});
  jet.velocity = Vec3d{1.5, 0, 0};
  s.emitters.push_back(jet);
  Flow run({}, s);
  run.advance(0.01, 30);
  EXPECT_NEAR(run.velocity().x, 1.5, 0.05);
}

// Drops fly without a grid where no solid is near: neither its image round a periodic side, nor what lies beyond an
// open one, where liquid is followed too.
TEST(Liquid, SprayKnowsOfSolidsWhereverLiquidMeetsThem) {
  Setting s = make_setting(3, 16, Side::open);
  s.domain.sides[0] = {Side::periodic, Side::periodic};
  Obstacle ball, ledge;
  ball.shape = Shape::sphere({0, 0.5, 0.5}, 0.2);
  ledge.shape = Shape::box({0.2, 0.2, -0.9}, {0.8, 0.8, -0.8});
  s.obstacles = {ball, ledge};
  fill(s, Shape::box({0.4, 0.4, 0.8}, {0.6, 0.6, 0.9}));
  const Flow flow({}, s);
  const auto crowded = [&](Cell c) {
    const std::vector<Box>& boxes = flow.stepper.rules().crowded;
    return std::any_of(boxes.begin(), boxes.end(), [&](const Box& b) { return b.contains(c); });
  };
  EXPECT_TRUE(crowded({1, 8, 8}));
  EXPECT_TRUE(crowded({14, 8, 8}));
  EXPECT_TRUE(crowded({8, 8, -14}));
  EXPECT_FALSE(crowded({8, 8, 8}));
}

}  // namespace
}  // namespace silt

#include <gtest/gtest.h>

#include "silt/core/packed.h"
#include "silt/physics/smoke/smoke_model.h"
#include "silt/physics/smoke/test_rig.h"

namespace silt {
namespace {

using test::for_each, test::Rig;

/// Walls all round, and gravity.
Setting unit_box(int n, int dims) {
  Setting s = test::unit_box(n, dims);
  s.gravity = test::gravity(dims);
  return s;
}

Obstacle ball(Vec3d centre, double radius, Animated<Vec3d> position = Vec3d{}) {
  Obstacle out;
  out.name = "ball";
  out.shape = Shape::sphere(centre, radius);
  out.motion.position = std::move(position);
  return out;
}

void randomise(const Domain& domain, MacField<float>& u) {
  for (int a = 0; a < 3; ++a)
    for_each(domain.faces(a), [&](Cell c) { u[a].at(c) = float(test::noise(7 + std::uint64_t(a), c)); });
}

const Volume* solid_of(Model& model, const Exec& exec, double time, Frame& frame) {
  model.snapshot(exec, time, frame);
  return frame.find("solid");
}

// A bar thinner than two cells, which the mean of eight corners would leave 0.006 m deep instead of 0.05 m.
TEST(SmokeFrame, SolidIsTheDistanceAtCellCentres) {
  constexpr double h = 0.0625, radius = 0.05;
  const Exec one(Device::cpu, 1), three(Device::cpu, 3, 1);
  for (bool moves : {false, true}) {
    Setting s = unit_box(int(1 / h), 3);
    Obstacle bar;
    bar.shape = Shape::capsule({0.5 + h / 2, 0.5 + h / 2, 0.2}, {0.5 + h / 2, 0.5 + h / 2, 0.8}, radius);
    if (moves) bar.motion.position = Animated<Vec3d>({{0, {}}, {1, {4 * h, 0, 0}}}, Between::linear);
    s.obstacles = {bar};
    const auto model = make_smoke_model({}, s, 0), resumed = make_smoke_model({}, s, 0);
    for (double time : {0.0, 0.75}) {
      Frame frame, again;
      const Volume* solid = solid_of(*model, one, time, frame);
      ASSERT_NE(solid, nullptr);
      const Shape shape = place(bar, time).shape;
      float deepest = 0;
      for_each(s.domain.cells, [&](Cell c) {
        const double exact = std::min(shape.distance(s.domain.lattice.centre(c)), solid_reach * h);
        const float shown = solid->values[std::size_t(Packed{s.domain.cells}(c))];
        ASSERT_NEAR(shown, exact, 1e-6) << c.x << " " << c.y << " " << c.z << ", t = " << time;
        deepest = std::min(deepest, shown);
      });
      EXPECT_NEAR(deepest, -radius, 1e-6) << "t = " << time;
      if (time > 0) {
        EXPECT_EQ(solid_of(*resumed, three, time, again)->values, solid->values);
      }
    }
  }
}

TEST(SmokeStepper, SaysHowLongSolidsTook) {
  Setting s = unit_box(16, 2);
  s.obstacles = {ball({0.5, 0.5, 0}, 0.2)};
  Rig rig(s);
  EXPECT_EQ(rig.start().seconds.count("smoke.solids"), 1u);
  EXPECT_EQ(rig.substep(0, 0.01).seconds.count("smoke.solids"), 1u);
}

// An orthogonal projection in the star's norm: it can only shorten, whatever the solids.
TEST(SmokeProject, NeverRaisesTheStarsNormInAClosedBox) {
  for (int dims : {2, 3}) {
    Setting s = unit_box(dims == 3 ? 20 : 48, dims);
    s.obstacles = {ball({0.41, 0.53, dims == 3 ? 0.47 : 0}, 0.23)};
    Rig rig(s, {.tolerance = 1e-6});
    randomise(s.domain, rig.state.velocity);
    rig.stepper.place_solids(rig.exec, 0);
    double before = rig.norm();
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(rig.project().converged);
      const double after = rig.norm();
      EXPECT_LE(after, before * (1 + 1e-6)) << dims << "D, pass " << i;
      before = after;
    }
    EXPECT_GT(before, 0.1);
  }
}

TEST(SmokeProject, LeavesDivergenceAtTheTolerance) {
  for (int dims : {2, 3}) {
    Setting s = unit_box(dims == 3 ? 24 : 64, dims);
    s.obstacles = {ball({0.5, 0.5, dims == 3 ? 0.5 : 0}, 0.2)};
    s.domain.sides[1][1] = Side::open;
    Rig rig(s, {.tolerance = 1e-6});
    randomise(s.domain, rig.state.velocity);
    const SolveReport report = rig.project();
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.residual, 1e-6);
    EXPECT_LE(rig.divergence() * s.domain.lattice.h / rig.speed(), 1e-5) << dims << "D";
  }
}

TEST(Smoke, StillAirStaysStill) {
  Setting s = unit_box(16, 3);
  s.obstacles = {ball({0.5, 0.5, 0.5}, 0.2)};
  const auto model = make_smoke_model({}, s);
  const Exec exec(Device::cpu, 2);
  EXPECT_TRUE(std::isinf(model->stable_step(exec, 0)));
  for (int i = 0; i < 3; ++i) model->substep(exec, 0.1 * i, 0.1);
  EXPECT_EQ(model->totals(exec, 0.3).max_speed, 0);
}

/// Swirls round the middle of the unit square, no faster than 1.
Vec3d swirl(const Vec3d& x) {
  constexpr double pi = 3.14159265358979323846;
  return {std::sin(pi * x.x) * std::cos(pi * x.y), -std::cos(pi * x.x) * std::sin(pi * x.y), 0};
}

// A finite difference that is asked for a step beyond its limit says so; the step that the model chooses is within it.
TEST(Smoke, FiniteDifferencesKnowTheirLongestStep) {
  for (Advection scheme : {Advection::upwind, Advection::lax_friedrichs, Advection::lax_wendroff})
    for (Splitting splitting : {Splitting::plain, Splitting::reflection}) {
      const Setting s = unit_box(32, 2);
      SmokeParams params;
      params.advection = scheme;
      params.splitting = splitting;
      const double limit = cfl_limit(params.advection_options(), 2) / 32;
      EXPECT_LT(params.cells_per_step(2) / 32, limit);
      const auto problem = [&](double dt) {
        Rig rig(s, params);
        rig.set_velocity(swirl);
        return rig.substep(0, dt).problem;
      };
      EXPECT_EQ(problem(0.9 * limit), "");
      EXPECT_NE(problem(2.5 * limit).find(name_of(scheme)), std::string::npos);
    }
}

Source hot_spot(Vec3d centre, double radius) {
  return test::ball_source(centre, radius, 1, 393);
}

// Hot air from a spot low in the box rises in the middle and comes down beside it (no net flow through any plane), the
// same on the left as on the right, and no faster than the hottest air would rise by itself.
TEST(Smoke, HotAirRises) {
  for (Splitting splitting : {Splitting::plain, Splitting::reflection}) {
    constexpr int n = 32;
    Setting s = unit_box(n, 2);
    s.domain.sides[1][1] = Side::open;
    s.sources = {hot_spot({0.5, 0.3, 0}, 0.1)};
    Rig rig(s, {.splitting = splitting, .tolerance = 1e-7});
    for (int i = 0; i < 20; ++i) {
      StepContext step(rig.exec, s.domain, 0.01 * i, 0.01);
      rig.stepper.substep(rig.state, step);
      EXPECT_TRUE(step.report.solves.at("pressure").converged);
      EXPECT_EQ(step.report.problem, "");
    }
    const Field<float>& v = rig.state.velocity[1];
    EXPECT_GT(v({n / 2, 12, 0}), 0.1);
    EXPECT_LT(v({n / 2 + 7, 12, 0}), 0);
    EXPECT_LT(rig.speed(), 9.81 * (100.0 / 293) * 0.2);
    for (int y = 1; y < n; ++y)
      for (int x = 0; x < n / 2; ++x) EXPECT_NEAR(v({x, y, 0}), v({n - 1 - x, y, 0}), 1e-4) << x << ' ' << y;
  }
}

// What enters through an inlet leaves through the open side: incompressible, whatever stands between.
TEST(Smoke, InflowLeavesThroughTheOpenSide) {
  Setting s = unit_box(24, 3);
  s.domain.sides[0][1] = Side::open;
  s.obstacles = {ball({0.5, 0.5, 0.5}, 0.2)};
  Inflow in;
  in.axis = 0, in.end = 0;
  in.shape = Shape::box({-1, 0.25, 0.25}, {1, 0.75, 0.75});
  in.velocity = Vec3d{2, 0, 0};
  in.temperature = 293.0;
  s.inflows = {in};
  Rig rig(s, {.tolerance = 1e-8});
  rig.substep(0, 0.005);
  double entering = 0, leaving = 0;
  for (int z = 0; z < 24; ++z)
    for (int y = 0; y < 24; ++y) {
      entering += rig.state.velocity[0]({0, y, z});
      leaving += rig.state.velocity[0]({24, y, z});
    }
  EXPECT_NEAR(entering, 2 * 12 * 12, 1e-3);
  EXPECT_NEAR(leaving / entering, 1, 1e-5);
}

// A ball moving through a full closed box pushes the fluid out of its way and lets none through: flux through any plane
// that does not cut the ball is zero, and through one that does, fluid goes back as fast as the ball goes forward.
TEST(Smoke, MovingObstacleDisplacesWhatItSweeps) {
  Setting s = unit_box(32, 3);
  const double speed = 0.8;
  s.obstacles = {
      ball({0.4, 0.5, 0.5}, 0.17, Animated<Vec3d>({{0.0, {0, 0, 0}}, {1.0, {speed, 0, 0}}}, Between::linear))};
  Rig rig(s, {.tolerance = 1e-9});
  rig.substep(0, 0.01);
  const CutCells& cut = rig.stepper.workspace().cut;
  for (int x = 1; x < 32; ++x) {
    double flux = 0, solid = 0;
    for (int z = 0; z < 32; ++z)
      for (int y = 0; y < 32; ++y) {
        const double open = cut.open[0]({x, y, z});
        flux += open * rig.state.velocity[0]({x, y, z});
        solid += (1 - open) * cut.solid_velocity[0]({x, y, z});
      }
    EXPECT_NEAR(flux + solid, 0, 1e-4) << "plane " << x;
    if (x == 13) {
      // Near its centre, which has come to x = 0.408: the disc it cuts there, times its speed, over a face's area.
      const double off = 13.0 / 32 - 0.408, disc = 3.14159265 * (0.17 * 0.17 - off * off);
      EXPECT_NEAR(solid, disc * speed * 32 * 32, 0.01 * solid);
    }
  }
}

// A ball that moves through a wall of the domain leaves by it: the fluid beside the wall is not asked to make room for
// what has gone.
TEST(Smoke, SolidLeavesThroughAWallInPeace) {
  Setting s = unit_box(16, 3);
  s.obstacles = {ball({0.7, 0.5, 0.5}, 0.2, Animated<Vec3d>({{0.0, {0, 0, 0}}, {1.0, {1, 0, 0}}}, Between::linear))};
  Rig rig(s, {.tolerance = 1e-7});
  for (int i = 0; i < 25; ++i) {
    rig.substep(0.02 * i, 0.02);
    EXPECT_LT(rig.speed(), 3) << "step " << i;
  }
}

// A paddle that spins in a full closed box: whatever plane one looks at, as much goes one way as the other, fluid and
// solid together; and it stirs.
TEST(Smoke, SpinningPaddleLetsNothingThrough) {
  Setting s = unit_box(48, 2);
  Obstacle paddle;
  paddle.name = "paddle";
  paddle.shape = Shape::box({0.2, 0.45, -1}, {0.8, 0.55, 1});
  paddle.motion.pivot = {0.5, 0.5, 0};
  paddle.motion.spin = 180.0;
  s.obstacles = {paddle};
  Rig rig(s, {.tolerance = 1e-8});
  for (int i = 0; i < 8; ++i) {
    StepContext step(rig.exec, s.domain, 0.02 * i, 0.02);
    rig.stepper.substep(rig.state, step);
    const SolveReport report = step.report.solves.at("pressure");
    EXPECT_TRUE(report.converged);
    EXPECT_LT(report.imbalance, 1e-6);
    const CutCells& cut = rig.stepper.workspace().cut;
    for (int axis = 0; axis < 2; ++axis)
      for (int plane = 1; plane < 48; ++plane) {
        double flux = 0, size = 0;
        for (int along = 0; along < 48; ++along) {
          const Cell f = axis == 0 ? Cell{plane, along, 0} : Cell{along, plane, 0};
          const double open = cut.open[axis](f);
          const double through = open * rig.state.velocity[axis](f) + (1 - open) * cut.solid_velocity[axis](f);
          flux += through, size += std::abs(through);
        }
        EXPECT_LT(std::abs(flux), 1e-3 * size + 1e-6) << "step " << i << " axis " << axis << " plane " << plane;
      }
  }
  EXPECT_GT(rig.norm(), 1);
}

// What a source covers is worked out once while it stands still, and anew while it moves.
TEST(Smoke, SourcesThatMoveAreFollowed) {
  Setting s = unit_box(16, 2);
  s.sources = {hot_spot({0.25, 0.25, 0}, 0.1), hot_spot({0.25, 0.75, 0}, 0.1)};
  s.sources[1].motion.position = Animated<Vec3d>({{0.0, Vec3d{}}, {1.0, Vec3d{0.5, 0, 0}}}, Between::linear);
  SmokeParams params;
  Rig rig(s, params);
  SmokeWorkspace work(rig.layout);
  const auto hold = [&](double time) {
    StepContext step(rig.exec, s.domain, time, 0.01);
    step.run(smoke::HoldSources{params, s, work}, rig.state);
  };
  const Cell at_rest{4, 4, 0}, start{4, 12, 0}, end{12, 12, 0};
  hold(0);
  const float* kept = std::as_const(work.sources[0].images[0].cells.amount).host();
  EXPECT_EQ(rig.state.density.at(start), 1);
  EXPECT_EQ(rig.state.density.at(end), 0);
  for (const Cell& c : {at_rest, start}) rig.state.density.at(c) = 0;
  hold(1);
  EXPECT_EQ(std::as_const(work.sources[0].images[0].cells.amount).host(), kept);
  EXPECT_EQ(rig.state.density.at(at_rest), 1);
  EXPECT_EQ(rig.state.density.at(start), 0) << "it has gone";
  EXPECT_EQ(rig.state.density.at(end), 1);
}

// A source on the seam of a periodic box gives as much as one in its middle, and does not drift.
TEST(Smoke, SourcesGoOnAcrossAPeriodicSide) {
  double mass[2];
  for (int i = 0; i < 2; ++i) {
    Setting s = unit_box(32, 2);
    s.domain.sides[0] = {Side::periodic, Side::periodic};
    s.gravity = {};
    s.sources = {hot_spot({i == 0 ? 0.5 : 1.0, 0.5, 0}, 0.15)};
    const auto model = make_smoke_model({}, s);
    const Exec exec(Device::cpu, 1);
    model->substep(exec, 0, 0.01);
    mass[i] = model->totals(exec, 0.01).mass;
  }
  EXPECT_GT(mass[0], 0.06);
  EXPECT_NEAR(mass[0], mass[1], 1e-6);
}

// Fast flow in a narrow periodic box goes round more than once a step: what it carries is not lost or doubled.
TEST(Smoke, FlowMayGoRoundAPeriodicBoxMoreThanOnceAStep) {
  Setting s = unit_box(8, 2);
  for (auto& sides : s.domain.sides) sides = {Side::periodic, Side::periodic};
  s.gravity = {};
  Rig rig(s, {.advection = Advection::linear, .transport = SmokeTransport::advective});
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) {
      rig.state.velocity[0].at({x, y, 0}) = 1;
      rig.state.density.at({x, y, 0}) = float(x == 2);
    }
  rig.substep(0, 19.0 / 8);  // nineteen cells
  for (int x = 0; x < 8; ++x) EXPECT_NEAR(rig.state.density({x, 3, 0}), x == (2 + 19) % 8, 1e-4) << x;
}

// A piston in a sealed box asks for the impossible: the solve says by how much.
TEST(SmokeProject, SaysWhenASealedBoxIsAskedToTakeFluidIn) {
  Setting s = unit_box(16, 2);
  Inflow in;
  in.axis = 0, in.end = 0;
  in.velocity = Vec3d{1, 0, 0};
  in.temperature = 293.0;
  s.inflows = {in};
  Rig sealed(s, {});
  EXPECT_GT(sealed.project().imbalance, 0.01);
  s.domain.sides[0][1] = Side::open;
  Rig vented(s, {});
  EXPECT_LT(vented.project().imbalance, 1e-6);
}

/// A periodic box of edge 1.
Setting periodic_box(int n, int dims) {
  Setting s = unit_box(n, dims);
  for (auto& sides : s.domain.sides) sides = {Side::periodic, Side::periodic};
  return s;
}

Fill fill_of(double temperature) {
  return {"fill", {}, 1, temperature, {}, {}};
}

// On a staggered grid the vortices are free of divergence to rounding, so that the projection of the start leaves them
// as they are.
TEST(SmokeStart, VorticesAreWhatTaylorAndGreenWrote) {
  constexpr double k = 2 * 3.14159265358979323846;
  for (int dims : {2, 3}) {
    Setting s = periodic_box(16, dims);
    s.fills = {fill_of(293)};
    s.fills[0].density = 0.5;
    s.fills[0].velocity = Vec3d{0.25, 0, 0};
    s.fills[0].vortices = Vortices{.wavelength = 1, .speed = 2};
    Rig rig(s, {});
    StepContext step(rig.exec, s.domain, 0, 1);
    rig.stepper.start(rig.state, step);
    EXPECT_EQ(step.report.solves.at("pressure").converged, true);
    for (const Cell c : {Cell{3, 5, 0}, Cell{0, 0, 0}, Cell{15, 9, dims == 3 ? 11 : 0}}) {
      const Vec3d x = s.domain.lattice.face_centre(0, c), y = s.domain.lattice.face_centre(1, c);
      EXPECT_NEAR(rig.state.velocity[0](c), 0.25 + 2 * std::sin(k * x.x) * std::cos(k * x.y) * std::cos(k * x.z), 2e-6);
      EXPECT_NEAR(rig.state.velocity[1](c), -2 * std::cos(k * y.x) * std::sin(k * y.y) * std::cos(k * y.z), 2e-6);
      EXPECT_NEAR(rig.state.velocity[2](c), 0, 1e-6);
      EXPECT_EQ(rig.state.density(c), 0.5f);
      EXPECT_EQ(rig.state.temperature(c), 0.0f);
      EXPECT_EQ(rig.state.pressure(c), 0.0);
    }
  }
}

TEST(SmokeStart, AFillIsWhereItsShapeIsAndGoesOnAcrossAPeriodicSide) {
  Setting s = periodic_box(16, 2);
  s.fills = {fill_of(393)};
  s.fills[0].shape = Shape::sphere({0, 0.5, 0}, 0.25);
  Rig rig(s, {.ambient_temperature = 293});
  StepContext step(rig.exec, s.domain, 0, 1);
  rig.stepper.start(rig.state, step);
  for (int x : {0, 15}) {
    EXPECT_EQ(rig.state.density({x, 8, 0}), 1.0f);
    EXPECT_EQ(rig.state.temperature({x, 8, 0}), 100.0f);
  }
  EXPECT_EQ(rig.state.density({8, 8, 0}), 0.0f);
  EXPECT_EQ(rig.state.temperature({8, 8, 0}), 0.0f);
}

// Fluid that is pushed from the first instant moves in the first frame: nothing else is free of divergence.
TEST(SmokeStart, TheFirstFrameIsFreeOfDivergenceWhateverMoves) {
  Setting s = unit_box(24, 2);
  s.domain.sides[1] = {Side::wall, Side::open};
  s.obstacles = {ball({0.5, 0.5, 0}, 0.2, Animated<Vec3d>({{0, Vec3d{}}, {1, Vec3d{1, 0, 0}}}, Between::linear))};
  s.fills = {fill_of(293)};
  s.fills[0].shape = Shape::sphere({0.2, 0.8, 0}, 0.1);
  s.fills[0].velocity = Vec3d{1, 0, 0};
  const Exec exec{Device::cpu, 2};
  const auto model = make_smoke_model({}, s, 0);
  EXPECT_GT(model->totals(exec, 0).max_divergence, 1);
  model->start(exec);
  const Totals once = model->totals(exec, 0);
  EXPECT_LT(once.max_divergence, 1e-2);
  EXPECT_GT(once.max_speed, 0.2);
  model->start(exec);  // begins anew, and not where it was
  EXPECT_EQ(model->totals(exec, 0).kinetic_energy, once.kinetic_energy);
}

// A fan in one half of a closed box drives air round it; a wind everywhere takes the air of a periodic box along; and a
// push that is a gradient moves nothing in a closed box.
TEST(Smoke, ForceFieldsDriveTheFlow) {
  Setting closed = unit_box(24, 2);
  closed.forces = {{"fan", UniformForce{Vec3d{1, 0, 0}}, Shape::box({0.25, 0.1, -1}, {0.75, 0.4, 1}), {}, true}};
  const auto run = [](const Setting& s) {
    Rig rig(s, {.tolerance = 1e-7});
    for (int i = 0; i < 10; ++i) {
      rig.substep(0.05 * i, 0.05);
    }
    return std::pair{rig.state.velocity[0]({12, 6, 0}), rig.state.velocity[0]({12, 20, 0})};
  };
  const auto [with, against] = run(closed);
  EXPECT_GT(with, 0.1);
  EXPECT_LT(against, -0.02);

  closed.forces = {{"pull", PointForce{{0.5, 0.5, 0}, -5.0, 0.2, 2}, {}, {}, true}};
  const auto [still, also] = run(closed);
  EXPECT_LT(std::abs(still) + std::abs(also), 0.01);

  Setting windy = unit_box(24, 2);
  for (auto& sides : windy.domain.sides) sides = {Side::periodic, Side::periodic};
  windy.forces = {{"wind", DragForce{4.0, Vec3d{1.5, 0, 0}}, {}, {}, true}};
  EXPECT_NEAR(run(windy).first, 1.5 * (1 - std::exp(-4 * 0.5)), 1e-4);
}

// A uniform stream through a periodic box is a steady state: nothing may slow it.
TEST(Smoke, UniformStreamIsSteady) {
  Setting s = unit_box(16, 3);
  for (auto& sides : s.domain.sides) sides = {Side::periodic, Side::periodic};
  Rig rig(s, {});
  rig.set_velocity([](const Vec3d&) { return Vec3d{1, 2, 3}; });
  for (int i = 0; i < 5; ++i) {
    rig.substep(0, 0.05);
  }
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(rig.state.velocity[a]({3, 7, 11}), a + 1, 1e-5);
}

}  // namespace
}  // namespace silt

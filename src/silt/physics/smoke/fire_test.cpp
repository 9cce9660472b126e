#include "silt/physics/smoke/fire.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/core/random.h"
#include "silt/physics/smoke/smoke_model.h"
#include "silt/physics/smoke/test_rig.h"

namespace silt {
namespace {

using test::for_each, test::Rig, test::unit_box;

Source burner(Vec3d centre, double radius, double fuel, double temperature) {
  Source source = test::ball_source(centre, radius, 0, temperature);
  source.fuel = fuel;
  return source;
}

SmokeParams burning(double rate) {
  SmokeParams p;
  p.burn_rate = rate;
  p.ignition_temperature = 500;
  p.fuel_heat = 1200.0;
  p.fuel_soot = 0.4;
  return p;
}

// Fuel decays as exp(-k t) where it is hot and not at all where it is cold, whatever the step, and is never negative;
// heat and soot are what burnt, cell by cell.
TEST(Fire, BurnsExactlyWhereItIsHot) {
  for (int steps : {1, 7, 60}) {
    const Setting s = unit_box(8, 3);
    Rig hearth(s, burning(3), {.fuel = true});
    SmokeWorkspace work(hearth.layout);
    for_each(s.domain.cells, [&](Cell c) {
      const auto id = std::uint64_t(hearth.layout.index(c));
      hearth.state.fuel.at(c) = float(1.1 * random_unit(1, id, 0) - 0.1);
      hearth.state.temperature.at(c) = c.x < 4 ? 250.0f : 150.0f;  // above and below 500 - 293
    });
    const Field<float> before = hearth.state.fuel;
    for (int i = 0; i < steps; ++i) {
      StepContext step(hearth.exec, s.domain, 0, 0.5 / steps);
      step.run(smoke::Burn{hearth.params, hearth.setting, work}, hearth.state);
    }
    for_each(s.domain.cells, [&](Cell c) {
      const double had = std::max(before(c), 0.0f), left = hearth.state.fuel(c);
      const double burnt = c.x < 4 ? had * (1 - std::exp(-1.5)) : 0;
      EXPECT_GE(left, 0);
      EXPECT_NEAR(left, had - burnt, 2e-6);
      EXPECT_NEAR(hearth.state.temperature(c), (c.x < 4 ? 250 : 150) + 1200 * burnt, 2e-3);
      EXPECT_NEAR(hearth.state.density(c), 0.4 * burnt, 2e-6);
    });
  }
}

// In a closed box that loses no heat, the heat that has come in is the heat of what has burnt: nothing flows, so that
// no advection blurs the account.
TEST(Fire, HeatReleasedIsFuelBurntTimesItsHeat) {
  Setting s = unit_box(24, 2);
  Rig hearth(s,
             [] {
               SmokeParams p = burning(5);
               p.expansion = 0.0;
               return p;
             }(),
             {.fuel = true});
  for_each(s.domain.cells, [&](Cell c) {
    const Vec3d x = s.domain.lattice.centre(c);
    hearth.state.fuel.at(c) = float(std::exp(-20 * dot(x - Vec3d{0.5, 0.5, 0}, x - Vec3d{0.5, 0.5, 0})));
    hearth.state.temperature.at(c) = x.x < 0.6 ? 300.0f : 0.0f;
  });
  const double fuel = hearth.sum(hearth.state.fuel), heat = hearth.sum(hearth.state.temperature);
  for (int i = 0; i < 20; ++i) {
    hearth.substep(0.02 * i, 0.02);
    const double burnt = fuel - hearth.sum(hearth.state.fuel);
    EXPECT_NEAR((hearth.sum(hearth.state.temperature) - heat) / (1200 * burnt), 1, 1e-5) << "step " << i;
  }
  EXPECT_GT(fuel - hearth.sum(hearth.state.fuel), 0.5 * fuel);
}

// What burns swells: what flows out of the open side is the volume gained, dV/dt = sum of (dT/dt) / T over the cells.
TEST(Fire, ExpansionFlowsOut) {
  for (Splitting splitting : {Splitting::plain, Splitting::reflection}) {
    Setting s = unit_box(16, 3);
    s.domain.sides[2][1] = Side::open;
    s.sources = {burner({0.5, 0.5, 0.3}, 0.2, 1, 600)};
    SmokeParams p = burning(4);
    p.splitting = splitting;
    p.tolerance = 1e-8;
    Rig hearth(s, p, {.fuel = true});
    StepContext step(hearth.exec, s.domain, 0, 0.01);
    hearth.stepper.substep(hearth.state, step);
    const double h = s.domain.lattice.h;
    double leaving = 0;
    for (int y = 0; y < 16; ++y)
      for (int x = 0; x < 16; ++x) leaving += hearth.state.velocity[2]({x, y, 16}) * h * h;
    const double gained = hearth.sum(hearth.stepper.workspace().expansion) * h * h * h;
    EXPECT_GT(gained, 0.01);
    EXPECT_NEAR(leaving / gained, 1, 1e-4);
    step.fill_halo(hearth.state.velocity);
    const CutCells& cut = hearth.stepper.workspace().cut;
    EXPECT_LT(max_divergence(hearth.exec, s.domain, hearth.state.velocity, cut.open, cut.solid_velocity,
                             {&hearth.stepper.workspace().expansion}),
              1e-3);
  }
}

// The rate at which it swells is that of an ideal gas at constant pressure: (dT/dt) / T.
TEST(Fire, SwellsAsAnIdealGas) {
  const Setting s = unit_box(4, 2);
  Rig hearth(s, burning(2), {.fuel = true});
  SmokeWorkspace work(hearth.layout);
  hearth.state.fuel.at({1, 1, 0}) = 0.5f;
  hearth.state.temperature.at({1, 1, 0}) = 400;
  StepContext step(hearth.exec, s.domain, 0, 1e-3);
  step.run(smoke::Burn{hearth.params, hearth.setting, work}, hearth.state);
  EXPECT_NEAR(work.expansion({1, 1, 0}), 2 * 0.5 * 1200 / (293 + 400), 5e-3);
  EXPECT_EQ(work.expansion({2, 2, 0}), 0);
}

// Cells that solids leave little of swell little: what leaves is (dT/dt) / T over the open volume, and no jet comes out
// of a gap (it was 15 m/s in the scene fire).
TEST(Fire, CutCellsSwellByTheirRoom) {
  Setting s = unit_box(16, 2);
  s.domain.sides[1][1] = Side::open;
  Obstacle stone;
  stone.shape = Shape::sphere({0.5, 0.5, 0}, 0.2);
  s.obstacles = {stone};
  SmokeParams p = burning(4);
  p.tolerance = 1e-8;
  Rig hearth(s, p, {.fuel = true});
  for_each(s.domain.cells, [&](Cell c) { hearth.state.fuel.at(c) = 1, hearth.state.temperature.at(c) = 400; });
  StepContext step(hearth.exec, s.domain, 0, 1e-4);
  hearth.stepper.substep(hearth.state, step);
  double leaving = 0;
  for (int x = 0; x < 16; ++x) leaving += hearth.state.velocity[1]({x, 16, 0}) / 16;
  const double open = 1 - 3.14159265 * 0.04;
  EXPECT_NEAR(leaving / (open * 4 * 1200 / (293 + 400)), 1, 0.01);
  EXPECT_LT(hearth.speed(), 1.1 * leaving * 2);
}

// Fuel lights only where something is hot.
TEST(Fire, ColdFuelDoesNotBurn) {
  Setting s = unit_box(16, 2);
  s.sources = {burner({0.5, 0.5, 0}, 0.2, 1, 450)};
  const auto model = make_smoke_model(burning(5), s);
  const Exec exec(Device::cpu, 1);
  for (int i = 0; i < 4; ++i) model->substep(exec, 0.05 * i, 0.05);
  EXPECT_EQ(model->totals(exec, 0.2).mass, 0);  // no soot
}

// A run that starts has what its sources ask for, and burns.
TEST(Fire, StartsWithItsFuel) {
  Setting s = unit_box(16, 2);
  s.sources = {burner({0.5, 0.5, 0}, 0.2, 1, 600)};
  const auto model = make_smoke_model(burning(5), s);
  const Exec exec(Device::cpu, 1);
  model->start(exec);
  model->substep(exec, 0, 0.05);
  EXPECT_GT(model->totals(exec, 0.05).mass, 0.001);
  Frame frame;
  model->snapshot(exec, 0.05, frame);
  EXPECT_TRUE(frame.find("flame"));
}

// ---- colour

Source dye(double x, Vec3d colour, double density) {
  Source source = test::ball_source({x, 0.5, 0}, 0.15, density, 293);
  source.colour = colour;
  return source;
}

const Volume& volume(const Frame& frame, const char* name) {
  const Volume* v = frame.find(name);
  EXPECT_TRUE(v) << name;
  return *v;
}

// Sources give their colours, whatever their density; where there is no smoke there is none.
TEST(Colour, IsThatOfTheSource) {
  Setting s = unit_box(32, 2);
  s.smoke_colour = {0.5, 0.5, 0.5};
  s.sources = {dye(0.25, {1, 0, 0}, 1), dye(0.75, {0, 0.25, 1}, 2)};
  s.sources[1].name = "other";
  const auto model = make_smoke_model({}, s);
  const Exec exec(Device::cpu, 2);
  model->substep(exec, 0, 0.01);
  Frame frame;
  model->snapshot(exec, 0.01, frame);
  const Volume& colour = volume(frame, "colour");
  EXPECT_EQ(colour.components(), 3);
  EXPECT_NEAR(colour.at({8, 16, 0}, 0), 1, 1e-5);
  EXPECT_NEAR(colour.at({8, 16, 0}, 2), 0, 1e-5);
  EXPECT_NEAR(colour.at({24, 16, 0}, 1), 0.25, 1e-5);
  EXPECT_EQ(colour.at({16, 2, 0}, 0), 0);
}

// Carried colours stay within the colours there were, however the smoke is stirred; the state has no colour fields
// unless something asks.
TEST(Colour, StaysBetweenTheColoursThatMix) {
  Setting s = unit_box(24, 2);
  s.sources = {dye(0.4, {0.8, 0.2, 0.1}, 1), dye(0.6, {0.1, 0.2, 0.9}, 1)};
  s.sources[1].name = "other";
  s.forces = {{"stir", VortexForce{{0.5, 0.5, 0}, {}, 20.0, 0.0, 0.2}, {}, {}, true}};
  s.sources[0].enabled = s.sources[1].enabled = Animated<bool>({{0.0, true}, {0.02, false}}, Between::step);
  SmokeParams p;
  p.dissipation = 1.0;
  const auto model = make_smoke_model(p, s);
  const Exec exec(Device::cpu, 2);
  for (int i = 0; i < 30; ++i) model->substep(exec, 0.02 * i, 0.02);
  Frame frame;
  model->snapshot(exec, 0.6, frame);
  const Volume &colour = volume(frame, "colour"), &density = volume(frame, "density");
  int mixed = 0;
  for (int y = 0; y < 24; ++y)
    for (int x = 0; x < 24; ++x) {
      if (density.at({x, y, 0}) < 0.05) continue;
      EXPECT_NEAR(colour.at({x, y, 0}, 1), 0.2, 0.02);  // what both have
      EXPECT_LE(colour.at({x, y, 0}, 0), 0.82);
      EXPECT_GE(colour.at({x, y, 0}, 0), 0.08);
      mixed += std::abs(colour.at({x, y, 0}, 0) - 0.45) < 0.2;
    }
  EXPECT_GT(mixed, 10);

  struct Names : StateVisitor {
    std::vector<std::string> all;
    void operator()(std::string_view name, Field<float>&, const Box&) override { all.emplace_back(name); }
    void operator()(std::string_view name, Field<double>&, const Box&) override { all.emplace_back(name); }
    void operator()(std::string_view name, Particles&) override { all.emplace_back(name); }
    void operator()(std::string_view name, Buffer<float>&) override { all.emplace_back(name); }
    void operator()(std::string_view name, Buffer<double>&) override { all.emplace_back(name); }
    void operator()(std::string_view name, Buffer<std::int64_t>&) override { all.emplace_back(name); }
  };
  Names with, without;
  model->visit(with);
  s.sources.clear();
  make_smoke_model(p, s)->visit(without);
  EXPECT_EQ(with.all.size(), without.all.size() + 3);
}

}  // namespace
}  // namespace silt

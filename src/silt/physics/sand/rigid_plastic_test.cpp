#include "silt/physics/sand/rigid_plastic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "silt/physics/common/particle_sums.h"
#include "silt/physics/sand/sand_kernels.h"
#include "silt/physics/sand/sand_stepper.h"

namespace silt {
namespace {

const Exec serial(Device::cpu, 1);
constexpr double g = 9.81;

/// Cells of 2 cm from the origin on; up is the last axis. Periodic along x: a bed without ends.
Setting make_setting(Int3 cells, bool periodic) {
  Setting s;
  s.domain.lattice = {{0, 0, 0}, 0.02, {1, cells.y > 1, cells.z > 1}};
  s.domain.cells = {{0, 0, 0}, cells};
  if (periodic) s.domain.sides[0] = {Side::periodic, Side::periodic};
  s.gravity[s.domain.lattice.dims() - 1] = -g;
  return s;
}
void fill(Setting& s, Vec3d low, Vec3d high, const Vec3d& velocity = {}) {
  Fill f;
  f.shape = Shape::box(low, high);
  f.velocity = velocity;
  s.fills.push_back(f);
}

struct Sand {
  SandParams params;
  Setting setting;
  SandStepper stepper;
  SandState state;
  double time = 0;
  const Exec& exec;

  Sand(const SandParams& p, const Setting& s, const Exec& e = serial, int pad = 0)
      : params(p), setting(s), stepper(params, setting, pad), exec(e) {
    params.model = SandModel::rigid_plastic;
    stepper.start(exec, state);
  }
  void advance(double dt, int steps) {
    for (int i = 0; i < steps; ++i, time += dt) {
      const StepReport report = stepper.substep(exec, time, dt, state);
      EXPECT_TRUE(report.solves.at("pressure").converged);
      EXPECT_EQ(report.problem, "");
    }
  }
  /// Mean over all particles [m/s].
  Vec3d velocity() const {
    Vec3d sum{};
    for (std::size_t i = 0; i < state.particles.count; ++i)
      for (int a = 0; a < setting.domain.lattice.dims(); ++a) sum[a] += state.particles.velocity[a].host()[i];
    return sum / double(state.particles.count);
  }
  double fastest() const { return sum_particles(exec, state.particles).fastest; }
};

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

/// A bed with as much of gravity along it as it has on a slope.
Sand on_slope(double degrees, double velocity, double wall_friction, double friction_angle) {
  Setting s = make_setting({24, 20, 1}, true);
  s.gravity = Vec3d{std::sin(radians(degrees)), -std::cos(radians(degrees)), 0} * g;
  fill(s, {-1, -1, -1}, {1, 0.2, 1}, {velocity, 0, 0});
  SandParams p;
  p.grains.friction_angle = friction_angle, p.wall_friction = wall_friction;
  return Sand(p, s);
}

TEST(RigidPlastic, BedAtRestStaysAtRest) {
  for (const bool flat : {true, false}) {
    Setting s = make_setting(flat ? Int3{24, 20, 1} : Int3{14, 12, 12}, false);
    fill(s, {-1, -1, -1}, flat ? Vec3d{1, 0.23, 1} : Vec3d{1, 1, 0.15});
    Sand sand({}, s);
    sand.advance(0.005, 60);
    EXPECT_LT(sand.fastest(), 1e-3) << "a fiftieth of what gravity gives in a step";
    EXPECT_LT(length(sand.velocity()), 1e-5);
    EXPECT_EQ(sand.stepper.work().rigid_plastic->groups.count(), 1);
  }
}

// The floor rubs with mu times the weight of all that lies on it: acceleration by hand. (2.8) with the velocity into
// the floor for J would be a tenth of that, the weight of one layer of cells.
TEST(RigidPlastic, FloorRubsWithTheWholeWeight) {
  constexpr double mu = 0.2, angle = 15, dt = 0.004;
  Sand sand = on_slope(angle, 0.3, mu, 34);
  sand.advance(dt, 25);
  const double before = sand.velocity().x;
  sand.advance(dt, 50);
  const double expected = g * (std::sin(radians(angle)) - mu * std::cos(radians(angle)));
  EXPECT_NEAR((sand.velocity().x - before) / (50 * dt), expected, 0.03 * mu * g);
}

// On a floor that it sticks to a layer stops below its angle of friction, and goes faster and faster above. (With sin
// for tan, or another of the constants in print, one of these fails.)
TEST(RigidPlastic, StopsBelowItsAngleAndSlidesAbove) {
  constexpr double sticks = 100, phi = 30;
  Sand below = on_slope(phi - 3, 0.1, sticks, phi), above = on_slope(phi + 3, 0.1, sticks, phi);
  below.advance(0.004, 100), above.advance(0.004, 100);
  EXPECT_LT(std::abs(below.velocity().x), 1e-4);
  EXPECT_GT(above.velocity().x, 0.2);
}

// A block thrown onto a table, an obstacle, slides as far as on a floor.
TEST(RigidPlastic, ObstaclesRubAsWallsDo) {
  const auto slide = [](bool table) {
    Setting s = make_setting({40, 24, 1}, false);
    if (table) s.obstacles.push_back({"table", Shape::box({-1, -1, -1}, {2, 0.1, 1}), {}, false, 0.3});
    if (!table) s.walls.push_back({"floor", 1, 0, true, Vec3d{}, 0.3});
    const double floor = table ? 0.1 : 0;
    fill(s, {0.1, floor, -1}, {0.3, floor + 0.1, 1}, {0.6, 0, 0});
    SandParams p;
    p.grains.cohesion = 2000, p.wall_friction = 0;
    Sand sand(p, s);
    sand.advance(0.004, 20);
    const double before = sand.velocity().x;
    sand.advance(0.004, 20);
    return (before - sand.velocity().x) / (20 * 0.004);
  };
  EXPECT_NEAR(slide(false), 0.3 * g, 0.1 * 0.3 * g);
  EXPECT_NEAR(slide(true), 0.3 * g, 0.1 * 0.3 * g);
}

/// How high the highest, and how far the farthest particle is [cells].
Int3 reach(const Sand& sand) {
  Int3 out{};
  for (int a = 0; a < 2; ++a)
    for (std::size_t n = 0; n < sand.state.particles.count; ++n)
      out[a] = std::max(out[a], sand.state.particles.cell[a].host()[n]);
  return out;
}

TEST(RigidPlastic, CohesionHoldsACut) {
  const auto after = [](double cohesion) {
    Setting s = make_setting({40, 16, 1}, false);
    fill(s, {0.3, -1, -1}, {0.5, 0.2, 1});
    SandParams p;
    p.grains.cohesion = cohesion;
    Sand sand(p, s);
    sand.advance(0.004, 150);
    return reach(sand);
  };
  const Int3 damp = after(1500), barely = after(20), dry = after(0);
  EXPECT_EQ(damp.y, 9);
  EXPECT_EQ(damp.x, 24);
  EXPECT_LE(barely.y, 8) << "a cell by itself would hold";
  EXPECT_GE(barely.x, 27);
  EXPECT_LE(dry.y, 8);
  EXPECT_GE(dry.x, 27);
}

// What is pressed through a slit is fast, and moves nobody.
TEST(RigidPlastic, SlitsAreNoFacesOfSand) {
  const Domain domain = make_setting({8, 8, 1}, false).domain;
  const Layout layout = make_layout(domain.cells, domain.lattice.active);
  CutCells cut(layout);
  Field<float> part(layout);
  MacField<float> weight(layout), star(layout);
  GrainFields grains(layout);
  for (int y = 0; y < 8; ++y) {
    cut.open[0].at({4, y, 0}) = y < 4 ? 0.1f : 0.5f;
    star[0].at({4, y, 0}) = 1, weight[0].at({4, y, 0}) = 4, part.at({4, y, 0}) = 1;
  }
  find_flow_faces(serial, domain, cut, part, weight, star, grains);
  EXPECT_EQ(star[0]({4, 2, 0}) + grains.moves[0]({4, 2, 0}) + grains.mass[0]({4, 2, 0}), 0);
  EXPECT_EQ(star[0]({4, 5, 0}), 1);
  EXPECT_EQ(grains.moves[0]({4, 5, 0}), 1);
  EXPECT_EQ(grains.mass[0]({4, 5, 0}), 1) << "four particles are a cell's";
}

TEST(RigidPlastic, LooseSandIsNoneToThePressure) {
  const Domain domain = make_setting({8, 8, 1}, false).domain;
  const Layout layout = make_layout(domain.cells, domain.lattice.active);
  Packing packing(layout);
  Field<float> phi(layout);
  const float h = float(domain.lattice.h);
  for (int x = 0; x < 8; ++x) packing.fraction.at({x, 4, 0}) = x < 4 ? 0.6f : 0.9f, phi.at({x, 4, 0}) = -0.5f * h;
  phi.at({0, 4, 0}) = -0.01f * h, phi.at({1, 4, 0}) = 0.3f * h;
  leave_out_loose(serial, domain, packing, phi);
  EXPECT_EQ(phi({5, 4, 0}), -0.5f * h);
  EXPECT_EQ(phi({2, 4, 0}), 0.5f * h);
  EXPECT_EQ(phi({1, 4, 0}), 0.3f * h);
  EXPECT_GT(phi({0, 4, 0}), 0.05f * h) << "a surface as near as that would be a stiff one";
}

// A belt, a wall that moves along itself, takes a block along: mu g, and no faster than itself.
TEST(RigidPlastic, BeltsTakeSandAlong) {
  Setting s = make_setting({40, 16, 1}, false);
  s.walls.push_back({"belt", 1, 0, true, Vec3d{0.2, 0, 0}, 0.3});
  fill(s, {0.1, 0, -1}, {0.3, 0.1, 1});
  SandParams p;
  p.grains.cohesion = 2000;
  Sand sand(p, s);
  sand.advance(0.002, 20);
  EXPECT_NEAR(sand.velocity().x, 0.3 * g * 0.04, 0.1 * 0.3 * g * 0.04);
  sand.advance(0.002, 60);
  EXPECT_NEAR(sand.velocity().x, 0.2, 0.005);
}

TEST(RigidPlastic, GroupsThatAreApartMoveApart) {
  Setting s = make_setting({30, 20, 1}, false);
  s.gravity = {};
  fill(s, {0.1, 0.1, -1}, {0.2, 0.2, 1}, {0.1, 0.05, 0});
  fill(s, {0.4, 0.1, -1}, {0.5, 0.2, 1}, {-0.1, 0, 0});
  SandParams p;
  p.grains.cohesion = 1000;
  Sand sand(p, s);
  sand.advance(0.004, 5);
  EXPECT_EQ(sand.stepper.work().rigid_plastic->groups.count(), 2);
  const Particles& particles = sand.state.particles;
  for (std::size_t n = 0; n < particles.count; ++n)
    EXPECT_NEAR(particles.velocity[0].host()[n], particles.cell[0].host()[n] < 15 ? 0.1 : -0.1, 1e-4);
}

// Different threads, and cells beyond the box, are all the same; so are rows out of use.
TEST(RigidPlastic, HasTheSameBitsForAnyNumberOfThreads) {
  const auto run = [](const Exec& exec, int pad) {
    Setting s = make_setting({24, 16, 16}, false);
    s.obstacles.push_back({"ball", Shape::sphere({0.34, 0.16, 0.05}, 0.06), {}, false, {}});
    fill(s, {-1, -1, -1}, {0.16, 1, 0.24});
    Sand sand({}, s, exec, pad);
    sand.advance(0.005, 25);
    std::vector<float> out;
    for (int a = 0; a < 3; ++a) {
      const float* offset = sand.state.particles.offset[a].host();
      const float* velocity = sand.state.particles.velocity[a].host();
      out.insert(out.end(), offset, offset + sand.state.particles.count);
      out.insert(out.end(), velocity, velocity + sand.state.particles.count);
    }
    return out;
  };
  const std::vector<float> one = run(serial, 0);
  EXPECT_EQ(one, run(Exec(Device::cpu, 2, 0), 0));
  EXPECT_EQ(one, run(serial, 16));
}

}  // namespace
}  // namespace silt

#include "silt/physics/common/move_particles.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/core/text.h"
#include "silt/fields/cut_cells.h"
#include "silt/fields/halo.h"
#include "silt/fields/particle_test_tools.h"
#include "silt/physics/common/cling.h"
#include "silt/physics/common/particle_sums.h"
#include "silt/physics/common/push_out.h"
#include "silt/physics/common/separate.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);
constexpr Moving all_rules[] = {Moving::own, Moving::rk2, Moving::rk3};

/// A box, particles in it and a flow that is given everywhere, halo included.
struct Rig {
  Domain domain;
  Layout layout;
  MacField<float> velocity;
  Particles particles;

  Rig(const Box& cells, Side side, std::size_t count, std::uint64_t seed = 1) {
    domain.cells = cells;
    domain.lattice.h = 0.5;
    domain.lattice.active = {1, cells.size().y > 1, cells.size().z > 1};
    for (auto& pair : domain.sides) pair = {side, side};
    layout = make_layout(cells, domain.lattice.active);
    velocity = MacField<float>(layout);
    particles = random_particles(serial, domain, count, seed);
  }
  /// flow(x), x in cells, in cells of displacement a second.
  template <class Flow>
  void set_flow(const Flow& flow) {
    for (int a = 0; a < 3; ++a) {
      if (!domain.lattice.active[a]) continue;
      for_each(layout.storage(), [&](Cell c) {
        Vec3d x = c.as<double>() + Vec3d{0.5, 0.5, 0.5};
        x[a] -= 0.5;
        velocity[a].at(c) = float(flow(x)[a] * domain.lattice.h);
      });
      for (std::size_t i = 0; i < particles.count; ++i)
        particles.velocity[a].host()[i] = float(flow(position(particles, i))[a] * domain.lattice.h);
    }
  }
  std::vector<Vec3d> positions() const {
    std::vector<Vec3d> out;
    for (std::size_t i = 0; i < particles.count; ++i) out.push_back(position(particles, i));
    return out;
  }
};

TEST(MoveParticles, AUniformFlowTakesThemRoundAPeriodicBox) {
  for (const Box& cells : {Box{{-3, 5, -2}, {8, 14, 7}}, Box{{-3, 5, 0}, {8, 14, 1}}, Box{{4, 0, 0}, {19, 1, 1}}})
    for (Moving rule : all_rules) {
      Rig rig(cells, Side::periodic, 500);
      rig.set_flow([](Vec3d) { return Vec3d{0.7, -0.3, 0.9}; });
      const auto before = rig.positions();
      for (int n = 0; n < 30; ++n) move_particles(serial, rig.domain, rule, rig.velocity, 1.0, 1, rig.particles);
      const Int3 size = cells.size(), active = rig.domain.lattice.active;
      for (std::size_t i = 0; i < before.size(); ++i) {
        ASSERT_TRUE(cells.contains(cell_of(rig.particles, i)));
        const Vec3d by = position(rig.particles, i) - before[i] - Vec3d{0.7, -0.3, 0.9} * 30.0;
        for (int a = 0; a < 3; ++a)
          if (active[a]) {
            EXPECT_NEAR(by[a] - size[a] * std::nearbyint(by[a] / size[a]), 0, 2e-5);
          }
      }
      EXPECT_NEAR(rig.particles.age.host()[7], 7 + 30.0, 1e-4);
    }
}

// Where a particle is does not change how exactly it moves.
TEST(MoveParticles, AsExactAMillionCellsAway) {
  const auto path = [](int far) {
    Rig rig({{far, 0, 0}, {far + 8, 8, 1}}, Side::wall, 100);
    rig.set_flow([&](Vec3d x) { return Vec3d{0.1 + 0.01 * (x.x - far), -0.02 * x.y, 0}; });
    for (int n = 0; n < 20; ++n) move_particles(serial, rig.domain, Moving::rk3, rig.velocity, 0.5, 1, rig.particles);
    auto all = all_values(rig.particles);
    for (double& c : all["cell.x"]) c -= far;
    return all;
  };
  EXPECT_EQ(path(0), path(1 << 20));
}

// A rotation is linear in space, so interpolation is exact: what is left is the rule's own error, of its order.
TEST(MoveParticles, ErrorsFallWithTheOrderOfTheRule) {
  constexpr double turn = 6.283185307179586;
  for (const auto& [rule, order] : {std::pair{Moving::rk2, 2.0}, {Moving::rk3, 3.0}}) {
    double error[2];
    for (int fine = 0; fine < 2; ++fine) {
      Rig rig({{0, 0, 0}, {32, 32, 1}}, Side::wall, 200);
      for (std::size_t i = 0; i < 200; ++i)  // in the middle half
        for (int a = 0; a < 2; ++a) rig.particles.cell[a].host()[i] = 8 + rig.particles.cell[a].host()[i] / 2;
      rig.set_flow([](Vec3d x) { return Vec3d{16 - x.y, x.x - 16, 0}; });
      const auto before = rig.positions();
      const int steps = fine ? 128 : 64;
      for (int n = 0; n < steps; ++n)
        move_particles(serial, rig.domain, rule, rig.velocity, turn / steps, 1, rig.particles);
      error[fine] = 0;
      for (std::size_t i = 0; i < before.size(); ++i)
        error[fine] = std::max(error[fine], length(position(rig.particles, i) - before[i]));
    }
    EXPECT_GT(std::log2(error[0] / error[1]), order - 0.2);
    EXPECT_LT(std::log2(error[0] / error[1]), order + 0.4);
  }
}

TEST(MoveParticles, PartsAreMovesOfTheirOwn) {
  const Domain domain = Rig({{0, 0, 0}, {8, 8, 1}}, Side::wall, 1).domain;
  EXPECT_EQ(sub_moves(domain, 0, 1), 1);
  EXPECT_EQ(sub_moves(domain, 0.49, 1), 1);  // h is 0.5
  EXPECT_EQ(sub_moves(domain, 0.51, 1), 2);
  EXPECT_EQ(sub_moves(domain, 1.7, 1), 4);
  const auto swirl = [](Vec3d x) { return Vec3d{std::sin(x.y), std::cos(x.x), 0}; };
  Rig at_once({{0, 0, 0}, {16, 16, 1}}, Side::wall, 500), one_by_one = at_once;
  at_once.set_flow(swirl), one_by_one.set_flow(swirl);
  EXPECT_NEAR(fastest_face(serial, at_once.domain, at_once.velocity), 0.5, 0.01);
  move_particles(serial, at_once.domain, Moving::rk2, at_once.velocity, 3.0, 4, at_once.particles);
  for (int n = 0; n < 4; ++n)
    move_particles(serial, one_by_one.domain, Moving::rk2, one_by_one.velocity, 0.75, 1, one_by_one.particles);
  EXPECT_EQ(at_once.positions(), one_by_one.positions());
}

TEST(MoveParticles, WallsKeepThemAndOpenSidesDoNot) {
  for (Side side : {Side::wall, Side::open})
    for (const Vec3d flow : {Vec3d{0.9, 0.8, -0.7}, Vec3d{-0.9, -0.8, 0.7}}) {
      Rig rig({{-2, 0, 3}, {9, 8, 10}}, side, 2000);
      rig.set_flow([&](Vec3d) { return flow; });
      for (int n = 0; n < 20; ++n) move_particles(serial, rig.domain, Moving::rk2, rig.velocity, 1.0, 1, rig.particles);
      CellRanges ranges;
      SortScratch scratch;
      sort_particles(serial, rig.domain, rig.layout, rig.particles, ranges, scratch);
      EXPECT_EQ(rig.particles.count, side == Side::wall ? 2000u : 0u);
      EXPECT_EQ(rig.particles.died, side == Side::wall ? 0u : 2000u);
    }
}

TEST(MoveParticles, SameBitsForAnyThreads) {
  const auto swirl = [](Vec3d x) { return Vec3d{std::sin(x.y), std::cos(x.x), std::sin(x.x + x.z)}; };
  const auto moved = [&](const Exec& exec) {
    Rig rig({{-2, 0, 3}, {9, 8, 10}}, Side::periodic, 1003);
    rig.set_flow(swirl);
    for (int n = 0; n < 5; ++n) move_particles(exec, rig.domain, Moving::rk3, rig.velocity, 0.6, 2, rig.particles);
    return all_values(rig.particles);
  };
  EXPECT_EQ(moved(serial), moved(Exec(Device::cpu, 3, 0)));
}

// The way for particles that are sorted is the same rule: paths agree to rounding, in every part of the domain.
TEST(MoveParticles, SortedTheyTakeTheSamePaths) {
  const auto swirl = [](Vec3d x) { return Vec3d{std::sin(x.y), std::cos(x.x), std::sin(x.x + x.z)}; };
  for (const Box& cells : {Box{{-3, 5, -2}, {18, 24, 13}}, Box{{-3, 5, 0}, {18, 24, 1}}, Box{{4, 0, 0}, {19, 1, 1}}})
    for (Side side : {Side::wall, Side::periodic, Side::open}) {
      Rig rig(cells, side, 4000);
      rig.set_flow(swirl);
      for (int a = 0; a < 3; ++a) fill_halo(serial, rig.domain, rig.domain.faces(a), HaloRule{}, rig.velocity[a]);
      CellRanges ranges;
      SortScratch scratch;
      sort_particles(serial, rig.domain, rig.layout, rig.particles, ranges, scratch);
      Rig other = rig, shared = rig;
      move_particles(serial, rig.domain, Moving::rk2, rig.velocity, 0.9, 1, rig.particles);
      move_particles(serial, other.domain, Moving::rk2, other.velocity, 0.9, 1, other.particles, &ranges);
      move_particles(Exec(Device::cpu, 3, 0), shared.domain, Moving::rk2, shared.velocity, 0.9, 1, shared.particles,
                     &ranges);
      EXPECT_EQ(all_values(shared.particles), all_values(other.particles));
      // Beyond a wall or an open side the two see different faces: there, half a cell is all that is asked.
      const Box inner = grow(cells, rig.domain.lattice.active * -2);
      for (std::size_t i = 0; i < rig.particles.count; ++i) {
        const Vec3d a = position(rig.particles, i), b = position(other.particles, i);
        const bool inside = side == Side::periodic || inner.contains(cell_of(rig.particles, i));
        ASSERT_LT(length(a - b), inside ? 1e-5 : 0.5) << a << b;
      }
    }
}

TEST(MoveParticles, TheDeadStayDead) {
  Rig rig({{0, 0, 0}, {16, 16, 1}}, Side::wall, 100);
  rig.set_flow([](Vec3d) { return Vec3d{0.4, 0.3, 0}; });
  CellRanges ranges;
  SortScratch scratch;
  sort_particles(serial, rig.domain, rig.layout, rig.particles, ranges, scratch);
  for (int i = 0; i < 30; ++i) rig.particles.cell[0].host()[i] = Particles::dead;
  for (const CellRanges* sorted : {static_cast<const CellRanges*>(nullptr), static_cast<const CellRanges*>(&ranges)})
    move_particles(serial, rig.domain, Moving::rk2, rig.velocity, 1.0, 1, rig.particles, sorted);
  Separation by;
  find_separation(serial, rig.domain, {}, ranges, rig.particles, by);
  separate_particles(serial, rig.domain, by, rig.particles);
  sort_particles(serial, rig.domain, rig.layout, rig.particles, ranges, scratch);
  EXPECT_EQ(rig.particles.count, 70u);
}

/// A ball in the middle of a box.
struct Ball : Rig {
  static constexpr double radius = 4.3;  ///< [cells]
  Shape shape;
  CutCells cut;
  explicit Ball(int dims)
      : Rig({{0, 0, 0}, {16, 16, dims == 3 ? 16 : 1}}, Side::wall, 20000),
        shape(Shape::sphere(centre(dims) * 0.5, radius * 0.5)),
        cut(layout) {
    cut_cells(serial, domain, {{shape, {}, false}}, cut);
  }
  static Vec3d centre(int dims) { return {8.2, 7.9, dims == 3 ? 8.4 : 0.5}; }
};

TEST(PushOut, NobodyIsInsideAfterwardsAndNobodyElseHasMoved) {
  for (int dims : {2, 3}) {
    Ball ball(dims);
    const auto before = ball.positions();
    EXPECT_GT(inside_solid(serial, ball.domain, ball.cut.distance, ball.particles), 1000);
    push_out(serial, ball.domain, ball.cut.distance, ball.particles);
    EXPECT_EQ(inside_solid(serial, ball.domain, ball.cut.distance, ball.particles), 0);
    int pushed = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Vec3d from = before[i] - Ball::centre(dims), to = position(ball.particles, i) - Ball::centre(dims);
      const double depth = Ball::radius - length(from);
      if (depth < -0.1) {
        EXPECT_EQ(from, to);
      } else if (depth > 0.1 && depth < 1.5) {  // straight out, and no farther than it must
        EXPECT_NEAR(length(to), Ball::radius, 0.1);
        EXPECT_GT(dot(from, to) / length(from) / length(to), 0.99);
        ++pushed;
      }
    }
    EXPECT_GT(pushed, 300);
  }
}

// Half way between the sides of a plate its distance has no slope: there is no normal, but there is room beside it.
TEST(PushOut, NothingIsLostWithinAPlate) {
  Ball ball(2);
  const double y = 7.5, h = ball.domain.lattice.h;  // the middle of a cell
  cut_cells(serial, ball.domain, {{Shape::box({-100, (y - 1) * h, -100}, {100, (y + 1) * h, 100}), {}, false}},
            ball.cut);
  for (std::size_t i = 0; i < ball.particles.count; ++i)
    ball.particles.cell[1].host()[i] = 7, ball.particles.offset[1].host()[i] = 0.5f;
  EXPECT_GT(inside_solid(serial, ball.domain, ball.cut.distance, ball.particles), 10000);
  push_out(serial, ball.domain, ball.cut.distance, ball.particles);
  EXPECT_EQ(inside_solid(serial, ball.domain, ball.cut.distance, ball.particles), 0);
  for (std::size_t i = 0; i < ball.particles.count; ++i)
    EXPECT_NE(std::as_const(ball.particles.cell[0]).host()[i], Particles::dead);
}

TEST(PushOut, WhatASolidSwallowsDies) {
  Ball ball(2);
  cut_cells(serial, ball.domain, {{Shape::box({-100, -100, -100}, {100, 100, 100}), {}, false}}, ball.cut);
  EXPECT_EQ(dead_particles(serial, ball.particles), 0);
  push_out(serial, ball.domain, ball.cut.distance, ball.particles);
  EXPECT_EQ(inside_solid(serial, ball.domain, ball.cut.distance, ball.particles), 0);
  for (const Exec& exec : {serial, Exec(Device::cpu, 3)})
    EXPECT_EQ(dead_particles(exec, ball.particles), std::int64_t(ball.particles.count));
  CellRanges ranges;
  SortScratch scratch;
  sort_particles(serial, ball.domain, ball.layout, ball.particles, ranges, scratch);
  EXPECT_EQ(ball.particles.count, 0u);
  EXPECT_EQ(ball.particles.died, 20000u);
}

struct Crowd : Rig {
  CellRanges ranges;
  SortScratch sorting;
  Separation separation;
  Crowd(const Box& cells, Side side, std::size_t count) : Rig(cells, side, count) { sort(); }
  void sort() { sort_particles(serial, domain, layout, particles, ranges, sorting); }
  void separate(const Exec& exec, const SeparateOptions& options = {}) {
    find_separation(exec, domain, options, ranges, particles, separation);
    separate_particles(exec, domain, separation, particles);
  }
  double nearest() const {
    const auto x = positions();
    double least = 1e9;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) least = std::min(least, length(x[i] - x[j]));
    return least;
  }
};

TEST(Separate, PartsAClumpAndLeavesItsMiddleWhereItWas) {
  for (int dims : {2, 3}) {
    Crowd crowd({{0, 0, 0}, {12, 12, dims == 3 ? 12 : 1}}, Side::wall, 60);
    for (std::size_t i = 0; i < crowd.particles.count; ++i)
      for (int a = 0; a < dims; ++a) crowd.particles.cell[a].host()[i] = 6;
    crowd.particles.offset[0].host()[3] = crowd.particles.offset[0].host()[4];  // and two in one place
    crowd.particles.offset[1].host()[3] = crowd.particles.offset[1].host()[4];
    if (dims == 3) crowd.particles.offset[2].host()[3] = crowd.particles.offset[2].host()[4];
    crowd.sort();
    const auto middle = [&] {
      Vec3d sum{};
      for (const Vec3d& x : crowd.positions()) sum += x;
      return sum / double(crowd.particles.count);
    };
    const Vec3d before = middle();
    for (int n = 0; n < 200; ++n) {
      crowd.separate(serial);
      crowd.sort();
    }
    EXPECT_GT(crowd.nearest(), 0.38) << dims;
    EXPECT_LT(length(middle() - before), 0.05);
  }
}

TEST(Separate, PairsPushEachOtherAlike) {
  Crowd crowd({{0, 0, 0}, {12, 12, 1}}, Side::periodic, 2);
  for (const auto& [x0, x1, apart] : {std::tuple{5.9f, 6.1f, 0.2}, {5.9f, 6.5f, 0.6}, {11.95f, 0.05f, 0.1}}) {
    for (int i = 0; i < 2; ++i) {
      const float x = i ? x1 : x0;
      crowd.particles.cell[0].host()[i] = int(x), crowd.particles.offset[0].host()[i] = x - int(x);
      crowd.particles.cell[1].host()[i] = 3, crowd.particles.offset[1].host()[i] = 0.25f;
    }
    crowd.sort();
    crowd.separate(serial, {0.4, 1.0});
    double gap = std::abs(crowd.positions()[1].x - crowd.positions()[0].x);
    gap = std::min(gap, 12 - gap);
    EXPECT_NEAR(gap, std::max(0.4, apart), 1e-5);
    EXPECT_FLOAT_EQ(crowd.particles.offset[1].host()[0], 0.25f);
  }
}

TEST(Separate, SameBitsForAnyThreads) {
  Crowd one({{0, 0, 0}, {9, 9, 9}}, Side::periodic, 4000), many = one;
  one.separate(serial);
  many.separate(Exec(Device::cpu, 3, 0));
  EXPECT_EQ(all_values(one.particles), all_values(many.particles));
}

// Of two that have come apart a little and go on parting each is held back, by a quarter of how fast they do or by the
// pull, which is half of 0.2 half way; not when they touch, nor farther off, nor when they come closer or are at rest.
TEST(Cling, PairsThatPartHoldEachOtherAlike) {
  Crowd crowd({{0, 0, 0}, {12, 12, 1}}, Side::periodic, 2);
  const ClingOptions options{.contact = 0.5, .pulls = {0.3f, 0.2f}};
  struct Case {
    float x0, x1, parting;
    double pull;
  };
  for (const Case& c : {Case{5.8f, 6.28f, 1, 0},
                        {5.8f, 6.325f, 1, 0.1},
                        {5.8f, 6.4f, 1, 0},
                        {11.9f, 0.425f, 1, 0.1},
                        {5.8f, 6.325f, 0.2f, 0.05},
                        {5.8f, 6.325f, 0, 0},
                        {5.8f, 6.325f, -1, 0}}) {
    for (int i = 0; i < 2; ++i) {
      const float x = i ? c.x1 : c.x0;
      crowd.particles.cell[0].host()[i] = int(x), crowd.particles.offset[0].host()[i] = x - int(x);
      crowd.particles.cell[1].host()[i] = 3, crowd.particles.offset[1].host()[i] = 0.25f;
      crowd.particles.velocity[0].host()[i] = i ? c.parting : 0, crowd.particles.velocity[1].host()[i] = 0;
      crowd.particles.source.host()[i] = i == 0 ? 0 : 7;
      crowd.particles.id.host()[i] = std::uint64_t(i);
    }
    crowd.sort();
    cling(serial, crowd.domain, options, crowd.ranges, crowd.particles);
    for (int i = 0; i < 2; ++i) {
      const bool first = crowd.particles.id.host()[i] == 0;
      EXPECT_NEAR(crowd.particles.velocity[0].host()[i], first ? c.pull : c.parting - c.pull, 1e-4)
          << c.x0 << " " << c.x1 << " " << c.parting;
      EXPECT_EQ(crowd.particles.velocity[1].host()[i], 0);
    }
  }
}

// However hard it pulls, energy falls.
TEST(Cling, TakesEnergyAndGivesNone) {
  Crowd crowd({{0, 0, 0}, {9, 9, 9}}, Side::periodic, 8000);
  const auto energy = [&] {
    double out = 0;
    for (int a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < crowd.particles.count; ++i) out += std::pow(crowd.particles.velocity[a].host()[i], 2);
    return out;
  };
  double before = energy();
  for (int n = 0; n < 10; ++n) {
    cling(serial, crowd.domain, {.contact = 0.5, .pulls = {1e6f}}, crowd.ranges, crowd.particles);
    const double now = energy();
    ASSERT_LT(now, before);
    before = now;
  }
}

TEST(Cling, KeepsMomentumAndBits) {
  Crowd one({{0, 0, 0}, {9, 9, 9}}, Side::periodic, 4000), many = one;
  const auto sum = [](const Particles& p, int a) {
    double out = 0;
    for (std::size_t i = 0; i < p.count; ++i) out += p.velocity[a].host()[i];
    return out;
  };
  const auto before = all_values(one.particles);
  double was[3];
  for (int a = 0; a < 3; ++a) was[a] = sum(one.particles, a);
  cling(serial, one.domain, {.contact = 0.5, .pulls = {0.3f}}, one.ranges, one.particles);
  cling(Exec(Device::cpu, 3, 0), many.domain, {.contact = 0.5, .pulls = {0.3f}}, many.ranges, many.particles);
  EXPECT_EQ(all_values(one.particles), all_values(many.particles));
  EXPECT_NE(all_values(one.particles), before);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(sum(one.particles, a), was[a], 1e-3);
}

}  // namespace
}  // namespace silt

#include "silt/physics/common/emitter.h"

#include <gtest/gtest.h>

#include <limits>

#include <set>

#include "silt/fields/particle_test_tools.h"
#include "silt/fields/seeding.h"
#include "silt/physics/common/move_particles.h"
#include "silt/physics/common/setting.h"

namespace silt {
namespace {

constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

using namespace test;

const Exec serial(Device::cpu, 1);

/// A box of 32 cells a metre, and what emitters and sinks do in it while particles fly freely.
struct Yard {
  Domain domain;
  Layout layout;
  MacField<float> still;
  Particles particles;
  CellRanges ranges;
  SortScratch sorting;
  std::vector<Obstacle> solids;
  double time = 0;
  std::set<std::uint64_t> seen;  ///< every id there ever was

  explicit Yard(int dims) : domain(unit_domain(32, dims, Side::open)) {
    domain.cells.hi.x = 96;
    layout = make_layout(domain.cells, domain.lattice.active);
    still = MacField<float>(layout);
    particles = Particles(domain.lattice.active);
  }
  std::size_t step(const Exec& exec, const Emitter& emitter, EmitterMemory& memory, double dt) {
    move_particles(exec, domain, Moving::own, still, dt, 1, particles);
    const std::size_t born = emit(exec, domain, emitter, solids, time, dt, 9, no_end, memory, particles).born;
    time += dt;
    return born;
  }
  void sort(const Exec& exec) {
    for (std::uint64_t id : ids(particles)) seen.insert(id);
    sort_particles(exec, domain, layout, particles, ranges, sorting);
  }
  double per_volume() const { return (1 << domain.lattice.dims()) / domain.lattice.cell_volume(); }
};

Emitter nozzle(int dims) {
  Emitter e;
  e.name = "jet";
  e.shape =
      dims == 2 ? Shape::box({0.1, 0.4, -1}, {0.3, 0.6, 1}) : Shape::cylinder({0.1, 0.5, 0.5}, {0.3, 0.5, 0.5}, 0.12);
  e.velocity = Vec3d{1.5, 0.0, 0.0};
  e.source = 4;
  e.colour = Vec3d{0, 1, 0.5};
  return e;
}
double area(int dims) {
  return dims == 2 ? 0.2 : 3.14159265 * 0.12 * 0.12;
}

// Gravity takes hold of what has left a nozzle, not of what is in it: else it would leave faster than more is born.
// With a rate there is no nozzle.
TEST(Emitter, WhatIsInANozzleMovesWithIt) {
  for (const bool with_rate : {false, true}) {
    Yard yard(3);
    EmitterMemory memory;
    yard.particles = Particles(yard.domain.lattice.active, Modes::affine);
    Emitter jet = nozzle(3);
    if (with_rate) jet.rate = 0.1;
    while (yard.time < 0.3) yard.step(serial, jet, memory, 0.01);
    Particles& p = yard.particles;
    for (std::size_t i = 0; i < p.count; ++i) p.velocity[2].host()[i] = -1, p.mode[0][1].host()[i] = 3;
    const std::size_t before = p.count;
    emit(serial, yard.domain, jet, {}, yard.time, 0, 9, no_end, memory, p);
    std::size_t held = 0;
    const ParticleView at = read(serial, p);
    for (std::size_t i = 0; i < before; ++i) {
      const Vec3d x = yard.domain.lattice.origin +
                      (at.cell_at(std::int64_t(i)).as<double>() + at.offset_at(std::int64_t(i)).as<double>()) *
                          yard.domain.lattice.h;
      const bool inside = !with_rate && jet.shape.distance(x) <= 0;
      ASSERT_EQ(p.velocity[2].host()[i], inside ? 0 : -1);
      ASSERT_EQ(p.mode[0][1].host()[i], inside ? 0 : 3);
      held += inside;
    }
    EXPECT_LT(held, before);
    EXPECT_EQ(held > 0, !with_rate);
  }
}

// A jet is as thick everywhere as what it was seeded with, and carries area times velocity, whatever the steps.
TEST(Emitter, AJetCarriesItsFlux) {
  for (int dims : {2, 3})
    for (double cfl : {0.3, 0.93, 2.7}) {
      Yard yard(dims);
      EmitterMemory memory;
      const double dt = cfl / 32 / 1.5;
      std::size_t born = 0;
      while (yard.time < 0.9) born += yard.step(serial, nozzle(dims), memory, dt);
      const double volume = area(dims) * (0.2 + 1.5 * yard.time);  // full from the start
      EXPECT_NEAR(double(born) / yard.per_volume(), volume, 0.015 * volume) << dims << " " << cfl;
      EXPECT_EQ(yard.particles.born, born);
      yard.sort(serial);
      double most = 0;
      for_each(yard.domain.cells, [&](Cell c) { most = std::max(most, double(yard.ranges.read(serial).count(c))); });
      EXPECT_LE(most, 2.5 * (1 << dims));  // no clumps, though the steps are no whole number of cells
      EXPECT_EQ(yard.particles.source.host()[0], 4u);
      EXPECT_EQ(yard.particles.colour.host()[0], 0x00ff80u);
    }
}

// Wherever its edges lie among the cells.
TEST(Emitter, AThinJetCarriesItsFlux) {
  for (const double width : {3.2, 3.5, 3.8}) {  // cells
    Yard yard(2);
    EmitterMemory memory;
    Emitter e = nozzle(2);
    e.shape = Shape::box({0.1, 0.5, -1}, {0.3, 0.5 + width / 32, 1});
    std::size_t born = 0;
    while (yard.time < 3) born += yard.step(serial, e, memory, 0.01);
    const double volume = width / 32 * (0.2 + 1.5 * yard.time);
    EXPECT_NEAR(double(born) / yard.per_volume(), volume, 0.015 * volume) << width;
  }
}

TEST(Emitter, ARateIsKeptToTheParticle) {
  for (int dims : {2, 3}) {
    Yard yard(dims);
    EmitterMemory memory;
    Emitter e = nozzle(dims);
    e.rate = 0.3 * area(dims);
    std::size_t born = 0;
    for (int n = 0; n < 100; ++n) born += yard.step(serial, e, memory, 0.0073);
    EXPECT_NEAR(double(born), 0.73 * 0.3 * area(dims) * yard.per_volume(), 1);
  }
}

TEST(Emitter, KeysSwitchItOnAndOffAndMoveIt) {
  Yard yard(2);
  EmitterMemory memory;
  Emitter e = nozzle(2);
  e.enabled = Animated<bool>({{0.0, true}, {0.2, false}, {0.5, true}}, Between::step);
  e.motion.position = Animated<Vec3d>({{0.0, {}}, {1.0, {0.5, 0, 0}}}, Between::linear);
  std::size_t while_off = 0, at_once = 0;
  for (int n = 0; n < 100; ++n) {
    const std::size_t born = yard.step(serial, e, memory, 0.01);
    if (yard.time > 0.205 && yard.time < 0.495) while_off += born;
    if (std::abs(yard.time - 0.51) < 1e-6) at_once = born;
  }
  EXPECT_EQ(while_off, 0u);
  EXPECT_NEAR(double(at_once), 0.04 * yard.per_volume(), 0.06 * 0.04 * yard.per_volume());  // filled anew
  double last = 0;
  for (std::size_t i = 0; i < yard.particles.count; ++i)
    if (yard.particles.age.host()[i] < 0.005) last = std::max(last, position(yard.particles, i).x / 32);
  EXPECT_LT(last, 0.6 + 0.02);  // born where the shape is now: at its upstream end, half a metre on
  EXPECT_GT(last, 0.6 - 0.01);
}

// Every id that was ever given is alive or has died, once.
TEST(Emitter, EveryIdIsAccountedFor) {
  Yard yard(2);
  EmitterMemory memory;
  const Emitter e = nozzle(2);
  const Sink sink{"drain", Shape::sphere({1.0, 0.45, 0}, 0.1), {}, true};
  Animated<bool> never(false);
  for (int n = 0; n < 150; ++n) {
    yard.step(serial, e, memory, 0.02);
    drain(serial, yard.domain, sink, yard.time, yard.particles);
    drain(serial, yard.domain, {"off", Shape::plane({}, {0, 0, 1}), {}, never}, yard.time, yard.particles);
    yard.sort(serial);
    ASSERT_EQ(yard.particles.count, yard.particles.alive());
    for (std::size_t i = 0; i < yard.particles.count; ++i)
      ASSERT_GT(sink.shape.distance(position(yard.particles, i) / 32.0 - Vec3d{0, 0, 0.5 / 32}), 0);
  }
  EXPECT_GT(yard.particles.died, 500u);
  EXPECT_EQ(yard.seen.size(), yard.particles.born);
  EXPECT_EQ(*yard.seen.rbegin(), yard.particles.born - 1);
  const auto alive = ids(yard.particles);
  EXPECT_EQ(std::set<std::uint64_t>(alive.begin(), alive.end()).size(), alive.size());
}

TEST(Emitter, WhereThereIsNoRoomNothingIsBorn) {
  Yard yard(2);
  EmitterMemory memory;
  Emitter e = nozzle(2);
  e.velocity = Vec3d{};
  e.rate = 100.0;
  for (int n = 0; n < 50; ++n) yard.step(serial, e, memory, 0.01);
  yard.sort(serial);
  for_each(yard.domain.cells, [&](Cell c) { EXPECT_LE(yard.ranges.read(serial).count(c), 4 + 8u); });
}

Obstacle solid(const Shape& shape) {
  Obstacle out;
  out.shape = shape;
  return out;
}
std::size_t in_solid(const Yard& yard, const Shape& shape) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < yard.particles.count; ++i) {
    Vec3d x = position(yard.particles, i) / 32.0;
    if (yard.domain.lattice.dims() == 2) x.z = 0;
    count += shape.distance(x) < 0;
  }
  return count;
}

// A source that is switched on in water fills what is free of its shape, and puts nothing where there is water.
TEST(Emitter, WhatIsFullIsNotFilledAgain) {
  Yard yard(3);
  Emitter jet = nozzle(3);
  jet.shape = Shape::box({0.25, 0.25, 0.25}, {0.75, 0.5, 0.5});
  jet.velocity = Vec3d{};
  seed_particles(serial, yard.domain, Shape::box({0.25, 0.25, 0.25}, {0.5, 0.5, 0.5}), {.seed = 1}, yard.particles);
  ASSERT_EQ(yard.particles.count, 8u * 8 * 8 * 8);
  EmitterMemory memory;
  EXPECT_EQ(yard.step(serial, jet, memory, 0.01), 8u * 8 * 8 * 8) << "its other half";
}

// A pane lies along a nozzle and covers 0.3 of its width: 0.7 of the flux is left.
TEST(Emitter, WhatASolidCoversGivesNothing) {
  for (const bool with_rate : {false, true}) {
    Yard yard(2);
    EmitterMemory memory;
    Emitter jet = nozzle(2);
    if (with_rate) jet.rate = 0.1;
    const Shape pane = Shape::box({-1, 0.54, -1}, {4, 0.8, 1});
    yard.solids.push_back(solid(pane));
    std::size_t born = 0;
    while (yard.time < 0.9) born += yard.step(serial, jet, memory, 0.01);
    const double volume = with_rate ? 0.1 * yard.time : 0.7 * area(2) * (0.2 + 1.5 * yard.time);
    EXPECT_NEAR(double(born) / yard.per_volume(), volume, 0.02 * volume) << with_rate;
    EXPECT_EQ(in_solid(yard, pane), 0u);
    yard.solids.push_back(solid(Shape::box({-1, 0.2, -1}, {4, 0.54, 1})));  // between the two nothing is left
    for (int n = 0; n < 20; ++n) EXPECT_EQ(yard.step(serial, jet, memory, 0.01), 0u);
  }
}

// It begins in a wall: the jet comes out of the wall, with all of its flux.
TEST(Emitter, ANozzleInAWallLetsItsJetOut) {
  for (int dims : {2, 3}) {
    Yard yard(dims);
    EmitterMemory memory;
    const Shape wall = Shape::box({-1, -1, -1}, {0.21, 2, 2});
    yard.solids.push_back(solid(wall));
    std::size_t born = 0;
    while (yard.time < 0.9) {
      born += yard.step(serial, nozzle(dims), memory, 0.01);
      ASSERT_EQ(in_solid(yard, wall), 0u);
    }
    const double volume = area(dims) * (0.09 + 1.5 * yard.time);
    EXPECT_NEAR(double(born) / yard.per_volume(), volume, 0.02 * volume);
  }
}

// A lid that lies on all of it is drawn off: what it uncovers is filled.
TEST(Emitter, WhatIsUncoveredFills) {
  Yard yard(2);
  EmitterMemory memory;
  Emitter pool = nozzle(2);
  pool.velocity = Vec3d{};
  Obstacle lid = solid(Shape::box({0, 0.3, -1}, {0.4, 0.7, 1}));
  lid.motion.position = Animated<Vec3d>({{0.0, {}}, {0.2, {}}, {0.4, {0, 0.4, 0}}}, Between::linear);
  yard.solids.push_back(lid);
  std::size_t born = 0;
  while (yard.time < 0.245) born += yard.step(serial, pool, memory, 0.01);
  EXPECT_EQ(born, 0u);
  while (yard.time < 0.5) born += yard.step(serial, pool, memory, 0.01);
  EXPECT_NEAR(double(born) / yard.per_volume(), 0.04, 0.06 * 0.04);
}

TEST(Emitter, SameBitsForAnyThreads) {
  const auto run = [](const Exec& exec) {
    Yard yard(3);
    EmitterMemory memory;
    for (int n = 0; n < 20; ++n) {
      yard.step(exec, nozzle(3), memory, 0.013);
      yard.sort(exec);
    }
    return all_values(yard.particles);
  };
  EXPECT_EQ(run(serial), run(Exec(Device::cpu, 3, 0)));
}

}  // namespace
}  // namespace silt

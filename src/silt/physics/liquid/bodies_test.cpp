#include "silt/physics/liquid/bodies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "silt/core/random.h"
#include "silt/physics/liquid/liquid_model.h"
#include "silt/physics/liquid/liquid_stepper.h"
#include "silt/physics/liquid/overlaps.h"
#include "silt/physics/liquid/tile_bricks.h"

namespace silt {
namespace {

const Exec serial(Device::cpu, 1);

// TileBricks of two tiles side by side touch if they are neighbours on the whole lattice of bricks.
TEST(TileBricks, TouchAcrossTiles) {
  const auto place = [](int bit) { return Int3{bit % 4, bit / 4 % 4, bit / 16}; };
  for (int n = 0; n < 27; ++n) {
    const Int3 away{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    for (int one = 0; one < TileBricks::all; ++one) {
      TileBricks::Bits expected = 0;
      for (int other = 0; other < TileBricks::all; ++other) {
        const Int3 there = place(other) + away * 4, d = there - place(one);
        const bool touch = std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) <= 1;
        if (touch) expected |= TileBricks::Bits(1) << other;
        bool blocks_touch = true;  // of four cells a side
        for (int a = 0; a < 3; ++a)
          blocks_touch = blocks_touch && std::abs((there[a] + 4) / 2 - (place(one)[a] + 4) / 2) <= 1;
        const bool facing = TileBricks::facing(TileBricks::Bits(1) << one, away) &&
                            TileBricks::facing(TileBricks::Bits(1) << other, away * -1);
        EXPECT_EQ(facing, blocks_touch) << one << ' ' << other << ' ' << away;
      }
      ASSERT_EQ(TileBricks::beside(TileBricks::Bits(1) << one, away), expected) << one << ' ' << away;
    }
  }
}

TEST(TileBricks, HaveTheCellsOfTheirHull) {
  const TileBricks::Bits two = TileBricks::Bits(1) << TileBricks::bit(1, 0, 2) | TileBricks::Bits(1)
                                                                                     << TileBricks::bit(2, 3, 2);
  EXPECT_EQ(TileBricks::cells({-1, 2, 0}, two, {1, 1, 1}), (Box{{-6, 16, 4}, {-2, 24, 6}}));
  EXPECT_EQ(TileBricks::cells({1, 0, 5}, 1, {1, 1, 0}), (Box{{8, 0, 5}, {10, 2, 6}}));
}

/// Particles at given cells, in the spray or in one pool, and what becomes of them.
struct Rig {
  PoolRules rules;
  LiquidState state;
  std::vector<std::unique_ptr<LiquidWorkspace>> work;
  SortScratch scratch;

  Rig(int dims, Side sides, const std::vector<Cell>& cells, bool in_spray) {
    const Int3 active{1, dims >= 2, dims == 3};
    rules.scene.lattice = {{0, 0, 0}, 0.01, active};
    rules.scene.cells = {{0, 0, 0}, {96, 96, dims == 3 ? 96 : 1}};
    for (auto& pair : rules.scene.sides) pair = {sides, sides};
    rules.allowed = sides == Side::open ? grow(rules.scene.cells, active * 100) : Box(rules.scene.cells);
    rules.margin = 5;
    rules.least = dims == 3 ? 32 : 8;
    Particles particles(active, Modes::affine);
    append(serial, particles, cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      particles.id.host()[i] = i;
      for (int a = 0; a < dims; ++a) particles.cell[a].host()[i] = cells[i][a], particles.offset[a].host()[i] = 0.5f;
    }
    state.born = cells.size();
    state.spray = Particles(active, Modes::affine);
    if (in_spray)
      state.spray = std::move(particles);
    else
      state.pools.push_back({rules.scene, std::move(particles), {}, {}});
  }
  void regroup(const Exec& exec = serial) { silt::regroup(exec, rules, state, work, scratch); }

  /// By id: the number of its pool, -1 for spray.
  std::map<std::uint64_t, int> places() const {
    std::map<std::uint64_t, int> out;
    const auto add = [&](const Particles& p, int pool) {
      for (std::size_t i = 0; i < p.count; ++i) EXPECT_TRUE(out.emplace(p.id.host()[i], pool).second);
    };
    add(state.spray, -1);
    for (std::size_t p = 0; p < state.pools.size(); ++p) add(state.pools[p].particles, int(p));
    return out;
  }
};

/// A cube of liquid.
void add_block(const Box& cells, int each, std::vector<Cell>& out) {
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y)
      for (int x = cells.lo.x; x < cells.hi.x; ++x) out.insert(out.end(), std::size_t(each), Cell{x, y, z});
}

int distance(const Box& box, Cell c) {
  int out = 0;
  for (int a = 0; a < 3; ++a) out = std::max({out, box.lo[a] - c[a], c[a] - box.hi[a] + 1});
  return out;
}

// Two drops in a mist of single particles, three cells apart: it hangs together and with both, but there is no liquid
// in it. Each drop has a small grid of its own, and what is near it; the mist flies.
TEST(Bodies, MistBetweenDropsFlies) {
  const Box drops[] = {{{21, 22, 23}, {26, 27, 28}}, {{70, 65, 60}, {74, 69, 64}}};
  std::vector<Cell> cells;
  for (const Box& drop : drops) add_block(drop, 8, cells);
  const std::size_t in_drops = cells.size();
  for (int z = 10; z < 80; z += 3)
    for (int y = 10; y < 80; y += 3)
      for (int x = 10; x < 80; x += 3) cells.push_back({x, y, z});
  Rig rig(3, Side::open, cells, false);
  rig.regroup();
  const auto places = rig.places();
  ASSERT_EQ(places.size(), cells.size());
  ASSERT_EQ(rig.state.pools.size(), 2u);
  for (const auto& [id, pool] : places) {
    const Cell c = cells[id];
    const int nearest = std::min(distance(drops[0], c), distance(drops[1], c));
    if (id < in_drops || nearest <= 2) {
      EXPECT_GE(pool, 0) << c;
    }
    if (nearest > 8) {
      EXPECT_EQ(pool, -1) << c;
    }
  }
  for (const LiquidPool& pool : rig.state.pools) EXPECT_LE(pool.domain.cells.count(), 32 * 32 * 32);
}

// However the particles came: from one pool, from the spray, by several threads; and once more changes nothing.
TEST(Bodies, DependOnWhereParticlesAreAlone) {
  std::vector<Cell> cells;
  for (int n = 0; n < 3000; ++n) {  // thick here, thin there
    const auto at = [&](int a) { return random_unit(3, std::uint64_t(n), std::uint64_t(a)); };
    const double r = at(0) * at(0) * 40, z = 2 * at(1) - 1, turn = 6.2832 * at(2), s = std::sqrt(1 - z * z);
    cells.push_back({int(48 + r * s * std::cos(turn)), int(48 + r * s * std::sin(turn)), int(48 + r * z)});
  }
  for (const int dims : {3, 2}) {
    if (dims == 2) {
      cells.resize(300);
      for (Cell& c : cells) c.z = 0;
    }
    Rig one(dims, Side::open, cells, false), other(dims, Side::open, cells, true);
    one.regroup();
    other.regroup(Exec(Device::cpu, 3, 0));
    ASSERT_GT(one.state.spray.count, dims == 3 ? 500u : 20u);
    ASSERT_GT(one.state.pools.size(), 0u);
    EXPECT_EQ(one.places(), other.places());
    const auto before = one.places();
    one.regroup();
    EXPECT_EQ(one.places(), before);
    EXPECT_EQ(one.state.died, 0u);
  }
}

TEST(Bodies, NothingFliesNearWallsNorWhereForcesAct) {
  const std::vector<Cell> cells{{3, 40, 40}, {50, 40, 40}};
  Rig walls(3, Side::wall, cells, true);
  walls.regroup();
  EXPECT_EQ(walls.places(), (std::map<std::uint64_t, int>{{0, 0}, {1, -1}}));
  Rig forces(3, Side::open, cells, true);
  forces.rules.spray = false;
  forces.regroup();
  EXPECT_EQ(forces.state.spray.count, 0u);
  EXPECT_EQ(forces.places().size(), 2u);
}

// A drop above a pool that fills its box stays on the pool's grid as long as it is within it: no particle moves from
// array to array as drops come and go.
TEST(Bodies, DropsOverAFullPoolStayOnItsGrid) {
  std::vector<Cell> cells;
  add_block({{0, 0, 0}, {24, 24, 24}}, 8, cells);
  cells.push_back({16, 16, 28});
  Rig rig(3, Side::wall, cells, false);
  rig.regroup();
  EXPECT_EQ(rig.state.spray.count, 0u);
  EXPECT_EQ(rig.state.pools.size(), 1u);
}

// Pools that are four cells apart have boxes that overlap: what a frame has there is both.
TEST(Overlaps, SayTheSame) {
  const auto volume = [](const char* name, Volume::Kind kind, const Box& cells, float value) {
    Volume v{"water", name, kind, "", cells, 3, {}};
    v.values.assign(std::size_t(cells.count()) * v.components(), value);
    return v;
  };
  const Box left{{0, 0, 0}, {8, 4, 4}}, right{{4, 0, 0}, {12, 4, 4}}, far{{20, 0, 0}, {24, 4, 4}};
  std::vector<Volume> volumes{
      volume("surface", Volume::Kind::level_set, left, 3), volume("velocity", Volume::Kind::vector, left, 0),
      volume("surface", Volume::Kind::level_set, right, 2), volume("velocity", Volume::Kind::vector, right, 0),
      volume("surface", Volume::Kind::level_set, far, 1)};
  volumes[0].values[volumes[0].index({5, 1, 1})] = -1;
  volumes[1].values[volumes[1].index({5, 1, 1}) + 2] = 7;
  volumes[3].values[volumes[3].index({6, 1, 1})] = 5;
  agree_in_overlaps(volumes);
  for (const int v : {0, 2}) {
    EXPECT_EQ(volumes[v].at({5, 1, 1}), -1);
    EXPECT_EQ(volumes[v].at({6, 1, 1}), 2);
  }
  for (const int v : {1, 3}) {
    EXPECT_EQ(volumes[v].at({5, 1, 1}, 2), 7);
    EXPECT_EQ(volumes[v].at({6, 1, 1}, 0), 5);
  }
  EXPECT_EQ(volumes[0].at({3, 1, 1}), 3);
  EXPECT_EQ(volumes[4].at({20, 0, 0}), 1);
}

/// A cube of n cells, a metre wide, without walls.
Setting open_cube(int n) {
  Setting s;
  s.domain.lattice = {{0, 0, 0}, 1.0 / n, {1, 1, 1}};
  s.domain.cells = {{0, 0, 0}, {n, n, n}};
  for (auto& pair : s.domain.sides) pair = {Side::open, Side::open};
  return s;
}

// Two rods that cross, six cells apart, are two pools, whose boxes overlap.
TEST(Overlaps, AFrameShowsBothPools) {
  constexpr int n = 64;
  constexpr double h = 1.0 / n;
  Setting s = open_cube(n);
  const Box rods[] = {{{10, 30, 20}, {54, 34, 24}}, {{30, 10, 30}, {34, 54, 34}}};
  for (const Box& rod : rods) {
    Fill f;
    f.shape = Shape::box(rod.lo.as<double>() * h, rod.hi.as<double>() * h);
    s.fills.push_back(f);
  }
  const auto model = make_liquid_model({}, s);
  model->start(serial);
  Frame frame;
  model->snapshot(serial, 0, frame);
  std::vector<const Volume*> surfaces;
  for (const Volume& v : frame.volumes)
    if (v.name == "surface") surfaces.push_back(&v);
  ASSERT_GT(surfaces.size(), 1u);
  for (const Box& rod : rods)
    for (int z = rod.lo.z; z < rod.hi.z; ++z)
      for (int y = rod.lo.y; y < rod.hi.y; ++y)
        for (int x = rod.lo.x; x < rod.hi.x; ++x)
          for (const Volume* v : surfaces)
            if (v->cells.contains(Cell{x, y, z})) {
              ASSERT_LT(v->at({x, y, z}), 0) << x << ' ' << y << ' ' << z;
            }
}

/// Two drops that shatter each other.
Setting shattering(int n) {
  Setting s = open_cube(n);
  for (const int side : {-1, 1}) {
    Fill f;
    f.shape = Shape::sphere({0.5 + 0.13 * side, 0.5 + 0.02 * side, 0.5}, 0.12);
    f.velocity = Vec3d{-4.0 * side, 0, 0};
    s.fills.push_back(f);
  }
  return s;
}

// The sheet tears, and is spray in the end. Every particle is accounted for, momentum stays, nothing depends on how
// many threads there are, and the frame shows all of it.
TEST(Bodies, ASplashBecomesSpray) {
  const Setting s = shattering(24);
  const LiquidParams params;
  const Exec three(Device::cpu, 3, 1);
  const auto one = make_liquid_model(params, s), other = make_liquid_model(params, s);
  one->start(serial), other->start(three);
  const Totals before = one->totals(serial, 0);
  double time = 0;
  std::int64_t most = 0;
  for (int i = 0; i < 30; ++i) {
    const double dt = one->stable_step(serial, time);
    EXPECT_EQ(other->stable_step(three, time), dt);
    one->substep(serial, time, dt), other->substep(three, time, dt);
    time += dt;
    most = std::max(most, one->cells());
  }
  const Totals after = one->totals(serial, time), same = other->totals(three, time);
  EXPECT_EQ(after.particles, before.particles);
  EXPECT_EQ(same.kinetic_energy, after.kinetic_energy);
  EXPECT_EQ(same.momentum, after.momentum);
  EXPECT_NEAR(length(after.momentum - before.momentum), 0, 0.02 * before.mass * 4);
  EXPECT_NEAR(after.volume, after.mass / params.density, 0.02 * after.volume);
  EXPECT_LT(one->cells(), most / 4);
  Frame frame;
  one->snapshot(serial, time, frame);
  std::int64_t shown = 0;
  for (const Points& p : frame.points) shown += std::int64_t(p.positions.size());
  EXPECT_EQ(shown, after.particles);
}

}  // namespace
}  // namespace silt

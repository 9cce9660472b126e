#include "silt/physics/sand/wall_rub.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/fields/test_tools.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);

constexpr double p = 0.3, fall = 0.02;  ///< pressure in all cells, and what gravity gives in the step [m/s]

/// Two rows of sand that lie at rest on the floor of a box, or on a slab as thick as two cells.
struct OnFloor {
  Domain domain = unit_domain(8, 2, Side::wall);
  Layout layout = make_layout(domain.cells, domain.lattice.active);
  int floor;
  CutCells cut{layout};
  MacField<float> star{layout}, mass{layout}, velocity{layout}, kick{layout}, impulse{layout}, slip{layout};
  Field<unsigned char> air{layout}, rigid{layout};
  Field<double> pressure{layout};
  Field<float> friction{layout}, cohesion{layout};
  WallFriction walls;
  WallBounds bounds{layout};

  OnFloor(bool slab, double mu, double tan_phi, double c = 0) : floor(slab ? 2 : 0) {
    PlacedShape solid{Shape::box({-1, -1, -1}, {2, 0.25, 1}), {}, mu};
    cut_cells(serial, domain, slab ? std::vector<PlacedShape>{solid} : std::vector<PlacedShape>{}, cut);
    walls.sides[1] = {slab ? 0 : mu, 0};
    for_each(domain.cells, [&](Cell at) {
      const bool sand = at.y >= floor && at.y < floor + 2;
      air.at(at) = !sand;
      if (sand) pressure.at(at) = p, friction.at(at) = float(tan_phi), cohesion.at(at) = float(c);
    });
    for (int a = 0; a < 2; ++a)
      for_each(domain.faces(a), [&](Cell at) {
        const bool in = at.y >= floor + a && at.y < floor + 2 + a && !(a == 0 && (at.x == 0 || at.x == 8));
        star[a].at(at) = mass[a].at(at) = in ? 1.0f : 0.0f;
        if (in && a == 1) kick[1].at(at) = float(fall);
      });
  }
  Cell lowest(int x = 4) const { return {x, floor, 0}; }
  void find_bounds() {
    find_wall_bounds(serial, domain, {cut, star, air, pressure, friction, cohesion, velocity}, kick, walls, floor > 0,
                     bounds);
  }
  float bound(Cell c) const { return floor > 0 ? bounds.solids(c) : bounds.walls[1](c); }
  void rub() {
    find_bounds();
    rub_walls(serial, domain, {cut, star, mass, air, rigid, bounds, walls, floor > 0}, velocity, impulse, slip);
  }
  void slide(float u) {
    for_each(domain.faces(0), [&](Cell at) {
      if (star[0].at(at) > 0) velocity[0].at(at) = u;
    });
  }
};

// At the wall itself the pressure has half a cell's weight more than at the centre of the cell.
TEST(WallRub, IsMuTimesThePressureAtTheWall) {
  for (const bool slab : {false, true}) {
    OnFloor sand(slab, 0.4, 1);
    sand.find_bounds();
    EXPECT_NEAR(sand.bounds.pressed(sand.lowest()), p + 0.5 * fall, 1e-5) << slab;
    EXPECT_NEAR(sand.bound(sand.lowest()), 0.4 * (p + 0.5 * fall), 1e-5) << slab;
    EXPECT_EQ(sand.bound(sand.lowest() + unit(1)), 0) << "only what touches it";
    EXPECT_EQ(sand.bounds.pressed(sand.lowest() + unit(1)), 0);
  }
}

// What is handed on is a stress in the sand too: no more than that can bear. What pulls does not rub.
TEST(WallRub, IsNoMoreThanTheSandBears) {
  for (const bool slab : {false, true}) {
    OnFloor sand(slab, 0.9, 0.5, 0.01);
    sand.find_bounds();
    EXPECT_NEAR(sand.bound(sand.lowest()), 0.5 * (p + 0.5 * fall) + 0.01, 1e-5) << slab;
    for_each(sand.domain.cells, [&](Cell at) { sand.pressure.at(at) = -0.1; });
    sand.find_bounds();
    EXPECT_EQ(sand.bound(sand.lowest()), 0) << slab;
    EXPECT_EQ(sand.bounds.pressed(sand.lowest()), 0);
  }
}

// (2.8): the lowest row loses mu J of its velocity, or all of it; the row above none.
TEST(WallRub, SlowsByItsBoundAndNeverTurnsRound) {
  constexpr double mu = 0.4, most = mu * (p + 0.5 * fall);
  for (const bool slab : {false, true})
    for (const double u : {0.5, -0.5, 0.1}) {
      OnFloor sand(slab, mu, 1);
      sand.slide(float(u));
      sand.rub();
      const double left = std::max(0.0, std::abs(u) - most);
      EXPECT_NEAR(sand.velocity[0](sand.lowest()), std::copysign(left, u), 1e-5) << slab << " " << u;
      EXPECT_NEAR(sand.velocity[0](sand.lowest() + unit(1)), u, 1e-6);
    }
}

// A face of half the mass is slowed twice as much; a belt drags towards its own velocity.
TEST(WallRub, ActsOnMassAndTowardsTheWall) {
  constexpr double most = 0.4 * (p + 0.5 * fall);
  OnFloor light(false, 0.4, 1);
  light.mass[0].at(light.lowest()) = 0.5f;
  light.slide(0.5f);
  light.rub();
  EXPECT_NEAR(light.velocity[0](light.lowest()), 0.5 - 2 * most, 1e-5);
  OnFloor belt(false, 0.4, 1);
  belt.walls.velocity[1][0] = {1, 0, 0};
  belt.rub();
  EXPECT_NEAR(belt.velocity[0](belt.lowest()), most, 1e-5);
}

// Of a rigid group the velocity stays; the impulse is told, and what it does with the slip.
TEST(WallRub, TellsWhatItWouldDoToRigidCells) {
  constexpr double mu = 0.4, most = mu * (p + 0.5 * fall), u = 0.1;
  for (const bool slab : {false, true}) {
    OnFloor sand(slab, mu, 1);
    sand.slide(float(u));
    for_each(sand.domain.cells, [&](Cell at) { sand.rigid.at(at) = !sand.air(at); });
    sand.rub();
    EXPECT_FLOAT_EQ(sand.velocity[0](sand.lowest()), float(u));
    EXPECT_NEAR(sand.impulse[0](sand.lowest()), -most, 1e-5) << "all of it, though the slip is less";
    EXPECT_NEAR(sand.slip[0](sand.lowest()), -most * u, 1e-6);
  }
}

}  // namespace
}  // namespace silt

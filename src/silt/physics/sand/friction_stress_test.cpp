#include "silt/physics/sand/friction_stress.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/fields/test_tools.h"

namespace silt {
namespace {

const Exec serial(Device::cpu, 1);

/// Sand that fills a box, sheared along x by height, or as one likes, under one pressure.
struct Sheared {
  Domain domain;
  Layout layout;
  CutCells cut;
  MacField<float> star, velocity;
  Field<unsigned char> air;
  Field<double> pressure;
  Field<float> friction, cohesion;
  FrictionStress stress;
  static constexpr Cell middle{4, 4, 0};

  Sheared(double rate, double p, double tan_phi, double c = 0, int deep = 1) {
    const Int3 active{1, 1, deep > 1};
    domain = {{{}, 0.1, active}, Box{{0, 0, 0}, {9, 9, deep}}, {}};
    layout = make_layout(domain.cells, active);
    cut = CutCells(layout);
    star = velocity = MacField<float>(layout);
    air = Field<unsigned char>(layout), pressure = Field<double>(layout);
    friction = cohesion = Field<float>(layout);
    stress = FrictionStress(layout);
    test::for_each(domain.cells,
                   [&](Cell at) { pressure.at(at) = p, friction.at(at) = float(tan_phi), cohesion.at(at) = float(c); });
    for (int a = 0; a < 3; ++a)
      test::for_each(domain.faces(a), [&](Cell at) {
        const bool wall = at[a] == 0 || at[a] == domain.cells.hi[a];
        star[a].at(at) = cut.open[a].at(at) = wall ? 0.0f : 1.0f;
        velocity[a].at(at) = a == 0 ? float(rate * at.y) : 0.0f;
      });
  }
  void find() {
    find_friction_stress(serial, domain, {cut, star, air, pressure, friction, cohesion, velocity}, stress);
  }
  float shear(Cell c) const { return stress.across[2](c); }
};

// The constant that gives the angle asked for: a sheared layer bears p tan(phi), no more, in 2D and in 3D.
TEST(FrictionStress, OfShearedSandIsPressureTimesTanPhi) {
  for (const int deep : {1, 9}) {
    Sheared sand(3, 2, 0.5, 0, deep);
    sand.find();
    const Cell c{4, 4, deep / 2};
    EXPECT_NEAR(sand.shear(c), 2 * 0.5, 1e-6);
    EXPECT_EQ(sand.stress.rigid(c), 0);
    EXPECT_EQ(sand.stress.along[0](c), 0) << "nothing stretches";
  }
}

// (2.5): rho h^2 D / dt stops a cell; it is rigid as soon as friction can bear that: D h = rate / 2 <= p tan(phi) + c.
TEST(FrictionStress, CellsAreRigidWhereFrictionBearsWhatStopsThem) {
  const auto rigid = [](double rate, double p, double c) {
    Sheared sand(rate, p, 0.5, c);
    sand.find();
    const bool holds = sand.stress.rigid(Sheared::middle) != 0;
    EXPECT_EQ(holds, std::abs(sand.shear(Sheared::middle) - rate / 2) < 1e-6) << "the stress is what stops it";
    return holds;
  };
  EXPECT_TRUE(rigid(1.99, 2, 0));
  EXPECT_FALSE(rigid(2.01, 2, 0));
  EXPECT_TRUE(rigid(2.39, 2, 0.2)) << "cohesion adds to it";
  EXPECT_FALSE(rigid(2.41, 2, 0.2));
  EXPECT_FALSE(rigid(0.01, -5, 0)) << "what pulls does not rub";
  EXPECT_TRUE(rigid(0.39, -5, 0.2)) << "nor does it take from cohesion";
}

// At the surface the pressure is none: what lies there slides on the cell below, by what presses the two together.
TEST(FrictionStress, CellsRubByWhatPressesThemMost) {
  Sheared sand(3, 0, 0.5);
  for (int x = 0; x < 9; ++x) sand.pressure.at({x, 3, 0}) = 2, sand.pressure.at({x, 5, 0}) = 2;
  sand.find();
  EXPECT_NEAR(sand.shear({4, 4, 0}), 0.5 * 2 * 0.5, 1e-6);
  EXPECT_NEAR(sand.shear({4, 5, 0}), 2 * 0.5, 1e-6);
  EXPECT_NEAR(sand.shear({4, 7, 0}), 0, 1e-6);
  for (int x = 0; x < 9; ++x) sand.air.at({x, 3, 0}) = 1, sand.star[1].at({x, 5, 0}) = 0;
  sand.find();
  EXPECT_NEAR(sand.shear({4, 4, 0}), 0, 1e-6) << "neither through a wall nor from the air";
}

// What slides over sand at rest is slowed, and takes that along: no momentum is lost or gained.
TEST(FrictionStress, SlowsWhatSlidesAndKeepsMomentum) {
  Sheared sand(0, 0.1, 0.5);
  for (int x = 0; x < 10; ++x)
    for (int y = 5; y < 9; ++y) sand.velocity[0].at({x, y, 0}) = 1;
  sand.find();
  ASSERT_EQ(sand.stress.rigid({4, 4, 0}) + sand.stress.rigid({4, 5, 0}), 0);
  ASSERT_EQ(sand.stress.rigid({4, 2, 0}) + sand.stress.rigid({4, 7, 0}), 2);
  const MacField<float> before = sand.velocity;
  add_friction(serial, sand.domain, sand.star, sand.stress, sand.velocity);
  const auto change = [&](int y) { return sand.velocity[0]({4, y, 0}) - before[0]({4, y, 0}); };
  EXPECT_LT(change(5), 0);
  EXPECT_NEAR(change(4), -change(5), 1e-6);
  EXPECT_EQ(change(2), 0) << "the motion of what is rigid is its group's";
}

TEST(FrictionStress, IsNotWhereThereIsAir) {
  Sheared sand(3, 2, 0.5);
  for (int x = 0; x < 9; ++x) {
    sand.air.at({x, 8, 0}) = 1;
    sand.star[0].at({x, 8, 0}) = 0;
  }
  sand.find();
  EXPECT_EQ(sand.shear({4, 8, 0}), 0);
  EXPECT_EQ(sand.stress.rigid({4, 8, 0}), 0);
  EXPECT_NEAR(sand.shear({4, 7, 0}), 1, 1e-6) << "what has no face above has its shear from below";
}

}  // namespace
}  // namespace silt

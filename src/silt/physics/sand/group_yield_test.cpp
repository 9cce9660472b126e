#include "silt/physics/sand/group_yield.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/physics/sand/rigid_test_tools.h"

namespace silt {
namespace {

using test::RigidCells;
using test::serial;

/// A block in the middle of a box that is sheared at a rate, as a whole, under one pressure.
struct Sheared {
  RigidCells cells;
  CutCells cut;
  Field<unsigned char> air;
  Field<double> pressure;
  Field<float> friction, cohesion;
  FrictionStress stress;
  WallBounds bounds;
  Buffer<double> scratch;
  double differs = 0;  ///< sum m |u - U|^2

  Sheared(int wide, double rate, double p, double tan_phi, double c = 0)
      : cells({24, 24, 1}, [=](Cell at) { return at.x > 3 && at.x < 4 + wide && at.y > 3 && at.y < 4 + wide; }),
        cut(cells.layout),
        air(cells.layout),
        pressure(cells.layout),
        friction(cells.layout),
        cohesion(cells.layout),
        stress(cells.layout),
        bounds(cells.layout) {
    test::for_each(cells.domain.cells, [&](Cell at) {
      pressure.at(at) = p, friction.at(at) = float(tan_phi), cohesion.at(at) = float(c);
      stress.rigid.at(at) = cells.rigid(at);
      if (cells.rigid(at)) stress.across[2].at(at) = float(rate / 2);
    });
    for (int a = 0; a < 2; ++a)
      test::for_each(cells.domain.faces(a), [&](Cell at) {
        cells.velocity[a].at(at) = a == 0 ? float(rate * at.y) : 0.0f, cells.mass[a].at(at) = 1;
      });
    cells.find();
  }
  double yields() { return found().part; }
  GroupYield found() {
    const std::vector<RigidMotion> moving = cells.moving();
    const auto& [v, w] = moving[0];
    differs = 0;
    cells.visit_faces([&](int a, Cell c) {
      const double d = cells.velocity[a](c) - (v + cross(w, cells.from_origin(a, c, 0)))[a];
      differs += d * d;
    });
    return yielding_parts(serial, cells.domain, {cut, cells.star, air, pressure, friction, cohesion, cells.velocity},
                          stress, cells.mass, bounds, false, cells.groups, moving, scratch)[0];
  }
};

// By hand: friction takes sqrt 2 (p tan(phi) + c) |D h|_F = p tan(phi) + c times the rate, of every cell.
TEST(GroupYield, IsWhatFrictionLeavesOfTheLiquidsMotion) {
  for (const double c : {0.0, 0.3}) {
    Sheared block(8, 0.5, 0.4, 0.5, c);
    const double takes = 64 * (0.4 * 0.5 + c) * 0.5, part = block.yields();
    ASSERT_GT(block.differs, takes) << "else nothing is shown";
    EXPECT_NEAR(part, 1 - takes / block.differs, 1e-5);
  }
}

// What solids have to do where they squeeze it: Rankine's passive stress is 1 / (1 - tan(phi)) times as large, and has
// a bound.
TEST(GroupYield, ResistsAsPassiveSandDoes) {
  EXPECT_NEAR(Sheared(8, 0.5, 0.4, 0.5).found().resists, 64 * 0.4 * 0.5 * 0.5 / (1 - 0.5), 1e-5);
  EXPECT_NEAR(Sheared(8, 0.5, 0.4, 0.95).found().resists, 64 * 0.4 * 0.95 * 0.5 * 5, 1e-5);
}

// Each cell by itself would hold: rate / 2 <= p tan(phi). A block of them holds while it is small.
TEST(GroupYield, WhatIsLargeDoesNotHoldBySmallStresses) {
  EXPECT_EQ(Sheared(3, 0.2, 0.5, 0.5).yields(), 0);
  EXPECT_GT(Sheared(12, 0.2, 0.5, 0.5).yields(), 0.3);
  EXPECT_EQ(Sheared(12, 0.2, 50, 0.5).yields(), 0);
  EXPECT_NEAR(Sheared(12, 0.2, -5, 0.5).yields(), 1, 1e-6) << "what pulls does not rub";
}

TEST(GroupYield, WallsHoldToo) {
  Sheared block(12, 0.2, 0.5, 0.5);
  const double before = block.yields();
  for (int x = 4; x < 16; ++x) block.bounds.walls[1].at({x, 4, 0}) = 1;
  const double after = block.yields();
  EXPECT_LT(after, before - 0.05);
  EXPECT_GT(after, 0);
}

}  // namespace
}  // namespace silt

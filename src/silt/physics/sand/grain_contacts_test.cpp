#include "silt/physics/sand/grain_contacts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/fields/test_tools.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);

GrainContacts contacts(const Domain& domain, const std::vector<PlacedShape>& solids, const WallFriction& walls) {
  const Layout layout = make_layout(domain.cells, domain.lattice.active);
  CutCells cut(layout);
  cut_cells(serial, domain, solids, cut);
  GrainContacts out(layout);
  find_contacts(serial, domain, cut, walls, out);
  return out;
}
/// N of a cell, as a matrix.
double area(const GrainContacts& contacts, Cell c) {
  return contacts.across[0](c) + contacts.across[1](c) + contacts.across[2](c);
}
WallFriction rubbing(double friction) {
  WallFriction out;
  for (auto& axis : out.sides) axis = {friction, friction};
  return out;
}

// A slope through the domain: in every cell that it cuts N = A n n^T, and all the areas add up to its length.
TEST(GrainContacts, SlopesFaceWhereTheyFace) {
  for (const double angle : {0.1, 0.5, 1.0, 1.5}) {
    const Domain domain = unit_domain(24, 2, Side::open);
    const Vec3d n{std::sin(angle), std::cos(angle), 0};
    PlacedShape slope{Shape::plane({0.51, 0.47, 0}, n), {}, 0.3};
    slope.velocity = {{0.2, -0.1, 0}, {}, {}};
    const GrainContacts found = contacts(domain, {slope}, rubbing(9));
    double sum = 0;
    int cut = 0;
    for_each(domain.cells, [&](Cell c) {
      const double a = area(found, c);
      if (!(found.rub(c) >= 0)) {
        ASSERT_EQ(a, 0);
        return;
      }
      ++cut, sum += a;
      EXPECT_NEAR(found.rub(c), 0.3, 1e-5);
      EXPECT_NEAR(found.across[0](c), a * n.x * n.x, 1e-3 + 0.01 * a) << angle << c;
      EXPECT_NEAR(found.mixed[2](c), a * n.x * n.y, 1e-3 + 0.01 * a) << angle << c;
      EXPECT_NEAR(found.velocity[0](c), 0.2, 1e-5);
      EXPECT_NEAR(found.velocity[1](c), -0.1, 1e-5);
    });
    EXPECT_GT(cut, 20);
    const double across = std::max(std::abs(n.x), std::abs(n.y));  // the slope's length, side to side of the square
    EXPECT_NEAR(sum / 24, 1 / across, 0.03 / across) << angle;
  }
}

// Beside walls N counts each of them; a floor that drags is felt by the cells on it.
TEST(GrainContacts, WallsAddUp) {
  for (int dims : {2, 3}) {
    const Domain domain = unit_domain(8, dims, Side::wall);
    WallFriction walls = rubbing(0.4);
    walls.sides[0][0] = 0.8;
    walls.velocity[1][0] = {0.5, 0, 0};
    const GrainContacts found = contacts(domain, {}, walls);
    const int z = dims == 3 ? 4 : 0;
    EXPECT_LT(found.rub(Cell{4, 4, z}), 0);
    const Cell floor{4, 0, z}, corner{0, 0, z};
    EXPECT_EQ(found.across[1](floor), 1);
    EXPECT_EQ(area(found, floor), 1);
    EXPECT_FLOAT_EQ(found.rub(floor), 0.4f);
    EXPECT_FLOAT_EQ(found.velocity[0](floor), 0.5f);
    EXPECT_EQ(area(found, corner), 2);
    EXPECT_FLOAT_EQ(found.rub(corner), 0.6f);
    EXPECT_EQ(found.mixed[2](corner), 0);
  }
}

// A flat solid rubs on the cells above it alone, wherever in a cell its top lies.
TEST(GrainContacts, FlatSolidsAreAsWalls) {
  const Domain domain = unit_domain(10, 2, Side::open);
  for (const double top : {0.3, 0.34}) {
    PlacedShape slab{Shape::box({-1, -1, -1}, {2, top, 1}), {}, 0.7};
    slab.velocity = {{0.25, 0, 0}, {}, {}};
    const GrainContacts found = contacts(domain, {slab}, {});
    for (int y = 0; y < 10; ++y) {
      const Cell c{5, y, 0};
      EXPECT_NEAR(area(found, c), y == 3 ? 1 : 0, 1e-4) << top << c;
    }
    EXPECT_NEAR(found.velocity[0](Cell{5, 3, 0}), 0.25, 1e-6);
    EXPECT_NEAR(found.mixed[2](Cell{5, 3, 0}), 0, 1e-4);
  }
}

TEST(GrainContacts, WhatRestsOnClosedFacesCounts) {
  const Domain domain = unit_domain(4, 2, Side::wall);
  const Layout layout = make_layout(domain.cells, domain.lattice.active);
  MacField<float> resting(layout);
  resting[1].at({2, 0, 0}) = 0.5f, resting[0].at({0, 1, 0}) = 0.25f;
  GrainContacts found(layout);
  add_resting(serial, domain, resting, found);
  EXPECT_EQ(found.resting({2, 0, 0}), 0.5f);
  EXPECT_EQ(found.resting({0, 1, 0}), 0.25f);
  EXPECT_EQ(found.resting({2, 1, 0}), 0.0f);
}

}  // namespace
}  // namespace silt

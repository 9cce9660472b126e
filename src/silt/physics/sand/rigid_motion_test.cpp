#include "silt/physics/sand/rigid_motion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "silt/physics/sand/rigid_contacts.h"
#include "silt/physics/sand/rigid_test_tools.h"

namespace silt {
namespace {

using test::RigidCells;
using test::serial;

void expect_near(const Vec3d& a, const Vec3d& b, double within, const char* what) {
  for (int n = 0; n < 3; ++n) EXPECT_NEAR(a[n], b[n], within) << what << ' ' << n;
}

/// Lopsided: its axes of inertia are none of the grid's.
bool hook(Cell c) {
  return (c.x > 1 && c.x < 8 && c.y < 4 && c.z < 3) || (c.x > 5 && c.x < 8 && c.y < 9 && c.z < 9);
}
bool flat_hook(Cell c) {
  return (c.x > 1 && c.x < 8 && c.y < 4) || (c.x > 5 && c.x < 8 && c.y < 9);
}

// (2.6) and (2.7): of any velocity the rigid one has both momenta, and of itself it is the same one. By hand at every
// face: u = v + w x r.
TEST(RigidMotion, KeepsMomentaAndIsRigid) {
  for (const bool flat : {false, true}) {
    RigidCells cells(flat ? Int3{12, 11, 1} : Int3{12, 11, 10}, flat ? flat_hook : hook);
    cells.find();
    ASSERT_EQ(cells.groups.count(), 1);
    const RigidPush before = cells.motions.momenta(serial, cells.velocity)[0];
    const std::vector<RigidMotion> moving = cells.moving();
    const auto& [v, w] = moving[0];
    EXPECT_GT(length(w), 1e-4) << "else nothing is shown";
    cells.motions.write(serial, moving, {0}, cells.velocity);
    const RigidPush after = cells.motions.momenta(serial, cells.velocity)[0];
    expect_near(after.force, before.force, 1e-4, "momentum");
    expect_near(after.torque, before.torque, 1e-3, "angular momentum");
    cells.visit_faces([&](int a, Cell c) {
      const Vec3d r = cells.from_origin(a, c, 0);
      EXPECT_NEAR(cells.velocity[a](c), (v + cross(w, r))[a], 1e-6);
    });
    const RigidMotion again = cells.moving()[0];
    expect_near(again.velocity, v, 1e-6, "velocity");
    expect_near(again.spin, w, 1e-6, "spin");
  }
}

// With only a sum of m r^2 in place of the tensor, a spin about an axis that is none of its own comes out another.
TEST(RigidMotion, OfSpinAboutAnyAxisIsThatSpin) {
  RigidCells cells({12, 11, 10}, hook);
  cells.find();
  const Vec3d v{0.3, -0.2, 0.5}, w{0.04, 0.03, -0.05};
  cells.visit_faces(
      [&](int a, Cell c) { cells.velocity[a].at(c) = float((v + cross(w, cells.from_origin(a, c, 0)))[a]); });
  const RigidMotion found = cells.moving()[0];
  expect_near(found.velocity, v, 1e-6, "velocity");
  expect_near(found.spin, w, 1e-6, "spin");
}

TEST(RigidMotion, EveryGroupHasItsOwn) {
  RigidCells cells({14, 5, 5}, [](Cell c) { return c.x < 5 || c.x > 7; });
  cells.find();
  ASSERT_EQ(cells.groups.count(), 2);
  cells.visit_faces([&](int a, Cell c) { cells.velocity[a].at(c) = a == 1 ? (c.x < 6 ? 1.0f : -2.0f) : 0.0f; });
  const std::vector<RigidMotion> moving = cells.moving();
  expect_near(moving[0].velocity, {0, 1, 0}, 1e-6, "left");
  expect_near(moving[1].velocity, {0, -2, 0}, 1e-6, "right");
}

// A cell by itself has no faces that turning it would move, a row of cells none about itself; round a periodic side
// nothing turns.
TEST(RigidMotion, TurnsOnlyWhereItCan) {
  RigidCells one({5, 5, 5}, [](Cell c) { return c == Cell{2, 2, 2}; });
  one.find();
  const RigidMotion motion = one.moving()[0];
  EXPECT_EQ(length(motion.spin), 0);
  EXPECT_TRUE(std::isfinite(length(motion.velocity)));
  RigidCells row({9, 5, 5}, [](Cell c) { return c.y == 2 && c.z == 2 && c.x > 0 && c.x < 8; });
  row.find();
  EXPECT_EQ(row.moving()[0].spin.x, 0);
  EXPECT_NE(row.moving()[0].spin.z, 0);
  RigidCells round(
      {9, 5, 1}, [](Cell c) { return c.y < 3; }, Side::periodic);
  round.find();
  EXPECT_EQ(length(round.moving()[0].spin), 0);
  const RigidPush before = round.motions.momenta(serial, round.velocity)[0];
  round.motions.write(serial, round.moving(), {0}, round.velocity);
  const RigidPush after = round.motions.momenta(serial, round.velocity)[0];
  expect_near(after.force, before.force, 1e-5, "momentum");
}

TEST(RigidMotion, HasTheSameBitsForAnyNumberOfThreads) {
  RigidCells one({40, 30, 20}, [](Cell c) { return test::noise(3, c) < -0.2; }), two = one;
  const Exec both(Device::cpu, 2, 0);
  one.find(), two.find(both);
  ASSERT_GT(one.groups.count(), 20);
  one.motions.write(serial, one.moving(), std::vector<float>(one.groups.count(), 0.0f), one.velocity);
  two.motions.write(both, two.moving(both), std::vector<float>(two.groups.count(), 0.0f), two.velocity);
  for (int a = 0; a < 3; ++a)
    test::for_each(one.domain.faces(a), [&](Cell c) { ASSERT_EQ(one.velocity[a](c), two.velocity[a](c)); });
}

// A block on a floor that falls stops there, does not turn into it, and is pressed that much harder. One that rises
// does so without the floor's push, however hard that was.
TEST(RigidContacts, KeepABlockOutOfTheFloorAndLetItGo) {
  RigidCells cells({12, 9, 1}, [](Cell c) { return c.x > 2 && c.x < 9 && c.y < 6; });
  for (int a = 0; a < 2; ++a) test::for_each(cells.domain.faces(a), [&](Cell c) { cells.mass[a].at(c) = 1; });
  cells.find();
  Field<float> pressed(cells.layout);
  for (int x = 3; x < 9; ++x) pressed.at({x, 0, 0}) = 0.5f;
  const CutCells cut(cells.layout);
  RigidContacts contacts = find_rigid_contacts(cells.domain, cut, cells.groups, pressed, false)[0];
  ASSERT_EQ(contacts.points.size(), 2u);
  EXPECT_DOUBLE_EQ(contacts.pressed, 6 * 0.5);
  EXPECT_NEAR(contacts.points[0].push, 1.5, 1e-9);
  EXPECT_NEAR(contacts.points[1].push, 1.5, 1e-9);
  RigidMotion falls{{0.2, -1, 0}, {0, 0, 0.1}};
  const double harder = keep_out(cells.motions, 0, contacts, falls);
  EXPECT_NEAR(falls.velocity.y, 0, 1e-3);
  EXPECT_NEAR(falls.spin.z, 0, 1e-3);
  EXPECT_GT(harder, 2);
  RigidMotion rises{{0, 1, 0}, {}};
  EXPECT_NEAR(keep_out(cells.motions, 0, contacts, rises), 0, 1e-9);
  expect_near(rises.velocity, {0, 1 - 3.0 / 36, 0}, 1e-9, "rising");  // six by six faces across y that weigh 1
}

// A block of 36 between two that close on it at 1 and 3: no motion keeps it out of both. What they push against each
// other is told apart from what moves the block.
TEST(RigidContacts, TellWhatClosesOnABlock) {
  RigidCells cells({12, 9, 1}, [](Cell c) { return c.x > 2 && c.x < 9 && c.y < 6; });
  for (int a = 0; a < 2; ++a) test::for_each(cells.domain.faces(a), [&](Cell c) { cells.mass[a].at(c) = 1; });
  cells.find();
  const auto pushed = [&](double left, double right, RigidMotion& motion) {
    RigidContacts out;
    for (const double y : {0.0, 5.0}) {
      out.points.push_back({.at = {-0.5, y, 0}, .normal = {1, 0, 0}, .speed = left, .push = 2});
      out.points.push_back({.at = {5.5, y, 0}, .normal = {-1, 0, 0}, .speed = right, .push = 2});
    }
    keep_out(cells.motions, 0, out, motion);
    return out;
  };
  RigidMotion motion;
  const RigidContacts closes = pushed(1, 3, motion);
  double along = 0, against = 0, most = 0, closing = 0;
  for (const RigidContacts::Point& point : closes.points) {
    along += point.normal.x * point.more, against += point.normal.x * point.against;
    most = std::max(most, std::abs(point.more)), closing += point.speed * point.against;
    EXPECT_GT(point.against, 1);
  }
  const double mass = 7 * 6;  // faces across x
  EXPECT_NEAR(along, mass * motion.velocity.x, 1e-6 * mass);
  EXPECT_NEAR(against, 0, 1e-3);
  EXPECT_LT(most, mass * 3) << "thirty times that is what the sweeps add up to";
  EXPECT_NEAR(closes.closing, closing, 1e-6 * closing);
  RigidMotion follows;
  EXPECT_EQ(pushed(1, -2, follows).closing, 0) << "it goes along with the first";
  EXPECT_NEAR(follows.velocity.x, 1, 0.05);
}

}  // namespace
}  // namespace silt

#include "silt/physics/common/closed_rooms.h"

#include <gtest/gtest.h>

#include <limits>

#include "silt/fields/particle_test_tools.h"
#include "silt/fields/seeding.h"

namespace silt {
namespace {

using namespace test;

constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();
const Exec serial(Device::cpu, 1);

Setting scene(int dims, Side side) {
  Setting out;
  out.domain = unit_domain(20, dims, side);
  return out;
}

Obstacle solid(const Shape& shape, const Motion& motion = {}) {
  return {"solid", shape, motion};
}

Emitter tap(const Vec3d& at) {
  Emitter out;
  out.name = "tap";
  out.shape = Shape::sphere(at, 0.06);
  return out;
}

Particles filled(const Setting& setting, const Shape& shape) {
  Particles out(setting.domain.lattice.active);
  seed_particles(serial, setting.domain, shape, {.seed = 1}, out);
  return out;
}

/// Walls of 0.15 round a room of 0.4 a side: 8 cells.
Shape vessel() {
  return Shape::subtract(Shape::box({0.15, 0.15, 0.15}, {0.85, 0.85, 0.85}),
                         Shape::box({0.3, 0.3, 0.3}, {0.7, 0.7, 0.7}));
}

TEST(ClosedRooms, ASealedVesselInAnOpenDomainHasRoomForItsCells) {
  Setting setting = scene(3, Side::open);
  setting.obstacles = {solid(vessel())};
  ClosedRooms rooms(setting);
  const Particles none(setting.domain.lattice.active);
  EXPECT_EQ(rooms.left_for(serial, tap({0.5, 0.5, 0.5}), 0, {&none}), 512u * 8);
  EXPECT_EQ(rooms.left_for(serial, tap({0.5, 0.5, 0.95}), 0, {&none}), no_end) << "outside of it";
  const Particles half = filled(setting, Shape::box({0.3, 0.3, 0.3}, {0.7, 0.7, 0.5}));
  const Particles outside = filled(setting, Shape::box({0.0, 0.0, 0.9}, {1, 1, 1}));
  EXPECT_EQ(rooms.left_for(serial, tap({0.5, 0.5, 0.5}), 0, {&half, &outside}), 512u * 8 - half.count);
}

// Walls of a cell beside the lattice: only one layer of cells is wall, and whoever looks first, from beside it, counts
// these cells to the room outside.
TEST(ClosedRooms, WhoLookedFirstFromOutsideChangesNothing) {
  Setting setting = scene(3, Side::open);
  setting.obstacles = {solid(Shape::subtract(Shape::box({0.215, 0.215, 0.215}, {0.785, 0.785, 0.785}),
                                             Shape::box({0.265, 0.265, 0.265}, {0.735, 0.735, 0.735})))};
  const Particles none(setting.domain.lattice.active);
  ClosedRooms rooms(setting);
  EXPECT_EQ(rooms.left_for(serial, tap({0.175, 0.5, 0.5}), 0, {&none}), no_end);
  const std::uint64_t inside = rooms.left_for(serial, tap({0.5, 0.5, 0.5}), 0, {&none});
  EXPECT_NE(inside, no_end);
  // 0.47 m a side; what is free of the wall's own cells counts, too: a quarter more in so small a room.
  EXPECT_NEAR(double(inside), 8 * 830, 8 * 830 * 0.3);
}

TEST(ClosedRooms, AHoleLetsOutWhatComesIn) {
  Setting setting = scene(3, Side::open);
  setting.obstacles = {solid(Shape::subtract(vessel(), Shape::box({0.45, 0.45, 0.6}, {0.55, 0.55, 0.9})))};
  const Particles none(setting.domain.lattice.active);
  EXPECT_EQ(ClosedRooms(setting).left_for(serial, tap({0.5, 0.5, 0.5}), 0, {&none}), no_end);
}

// Tight for fluid, tight here: a plate one cell thick, however it lies.
TEST(ClosedRooms, ASlantedPlateOfACellSeparates) {
  for (const int dims : {2, 3})
    for (const double tilt : {0.0, 0.1, 0.25, 0.4}) {
      Setting setting = scene(dims, Side::wall);
      setting.domain.sides[0][1] = Side::open;
      const Vec3d normal = normalized(Vec3d{1, tilt, dims == 3 ? 0.4 * tilt : 0});
      const Vec3d middle{0.52, 0.5, dims == 3 ? 0.5 : 0.0}, half = normal * (0.5 * setting.domain.lattice.h * 1.001);
      setting.obstacles = {
          solid(Shape::intersect(Shape::plane(middle + half, normal), Shape::plane(middle - half, -normal)))};
      const Particles none(setting.domain.lattice.active);
      const Vec3d left{0.08, 0.2, dims == 3 ? 0.2 : 0.0};
      EXPECT_NE(ClosedRooms(setting).left_for(serial, tap(left), 0, {&none}), no_end) << dims << "D, " << tilt;
    }
}

TEST(ClosedRooms, PeriodicSidesAreNoWayOut) {
  Setting setting = scene(2, Side::wall);
  setting.domain.sides[0] = {Side::periodic, Side::periodic};
  setting.obstacles = {solid(Shape::box({0.4, -1, -1}, {0.6, 2, 1}))};
  const Particles none(setting.domain.lattice.active);
  EXPECT_EQ(ClosedRooms(setting).left_for(serial, tap({0.05, 0.5, 0}), 0, {&none}), 20u * 16 * 4);
}

TEST(ClosedRooms, APistonSqueezesWhatItHasNoRoomFor) {
  Setting setting = scene(3, Side::open);
  setting.domain.sides = {};  // walls
  Motion down;
  down.position = Animated<Vec3d>({{0, {0, 0, 0}}, {1, {0, 0, -0.4}}}, Between::linear);
  setting.obstacles = {solid(Shape::box({-1, -1, 0.8}, {2, 2, 2}), down)};
  const Particles low = filled(setting, Shape::box({0, 0, 0}, {1, 1, 0.5}));
  const Particles pushed = filled(setting, Shape::box({0, 0, 0.3}, {1, 1, 0.4}));  // from above, by the piston
  const std::vector<const Particles*> water{&low, &pushed};
  ClosedRooms rooms(setting);
  EXPECT_EQ(rooms.squeezed(serial, 0, water), 0);
  EXPECT_EQ(rooms.squeezed(serial, 0.5, water), 0) << "it is just full";
  EXPECT_EQ(rooms.squeezed(serial, 0.75, water), 20 * 20 * 2 * 8) << "two layers of cells";
  // Through an open side, or past the piston, it has a way.
  Setting open = setting;
  open.domain.sides[0][0] = Side::open;
  EXPECT_EQ(ClosedRooms(open).squeezed(serial, 0.75, water), 0);
}

}  // namespace
}  // namespace silt

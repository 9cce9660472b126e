#include <gtest/gtest.h>

#include <cmath>

#include "silt/physics/common/rooms_test_tools.h"
#include "silt/physics/gas/sample_gas.h"

// Nothing passes a plate from one cell on, whether it stands still or moves.
namespace silt::gas {
namespace {

using test::Rig;

constexpr double h = 1.0 / 24;

struct Held {
  double mass, smoke;
};
/// In the room that x is in.
Held held(Rig& rig, const Vec3d& x) {
  const Field<float> inside = silt::test::room_round(rig.setting, rig.time, x);
  const Field<float>& room = *rig.frame().openings.room;
  Held out{};
  silt::test::for_each(rig.setting.domain.cells, [&](Cell c) {
    if (inside(c) == 0) return;
    out.mass += room(c) * (double(rig.frame().reference.density(c)) + rig.state.density(c));
    out.smoke += room(c) * double(rig.state.smoke(c));
  });
  return out;
}

/// A blast on one side of a plate that stands still, a ball that moves on that side.
Setting parted_room(Int3 cells, double thickness) {
  Setting out = Rig::make_setting(cells, h, Side::wall, {});
  const double z = cells.z > 1 ? 0.5 * cells.z * h : 0.5 * h;
  out.obstacles = {silt::test::endless_plate({0.62, 0.5, z}, {1, 0.32, cells.z > 1 ? 0.21 : 0}, thickness, h)};
  Obstacle ball;
  ball.name = "ball";
  ball.shape = Shape::sphere({0.15, 0.15, z}, 0.1);
  ball.motion.position = Animated<Vec3d>({{0.0, Vec3d{}}, {1.0, Vec3d{0, 20, 0}}}, Between::linear);
  out.obstacles.push_back(ball);
  out.gas_fills = {{.name = "blast",
                    .shape = Shape::sphere({0.3, 0.6, z}, 0.12),
                    .content = {.pressure = 1e6, .temperature = 1000.0},
                    .smoke = 1}};
  return out;
}

TEST(GasTight, FixedPlatesWhereSomethingMoves) {
  for (const Int3 cells : {Int3{24, 24, 1}, Int3{24, 16, 10}})
    for (const double thickness : {1.0, 1.04})
      for (const GasPressure pressure : {GasPressure::explicit_, GasPressure::implicit}) {
        if (cells.z > 1 && (thickness != 1 || pressure == GasPressure::implicit)) continue;
        Rig rig(parted_room(cells, thickness), {.pressure = pressure});
        const Vec3d beyond{0.95, 0.6, 0.2};
        const Held before = held(rig, beyond);
        while (rig.time < 2e-3) rig.step(1, 2e-4);
        const Held after = held(rig, beyond);
        EXPECT_NEAR(after.mass / before.mass, 1, 1e-5) << cells << thickness << int(pressure);
        EXPECT_EQ(after.smoke, 0) << cells << thickness << int(pressure);
      }
}

/// A vessel full of air at three bar that travels and turns.
Setting travelling_vessel(double walls, Int3 cells) {
  Setting out = Rig::make_setting(cells, h, Side::wall, {});
  const double z = cells.z > 1 ? 0.5 * cells.z * h : 0.5 * h, deep = cells.z > 1 ? 0.1 : 1;
  const Vec3d middle{0.6, 0.6, z}, half{0.21, 0.17, deep};
  out.obstacles = {silt::test::closed_box(middle - half, middle + half, walls, h)};
  Motion& motion = out.obstacles[0].motion;
  motion.pivot = middle;
  motion.position = Animated<Vec3d>({{0.0, Vec3d{}}, {0.02, Vec3d{0.5, 0.07, 0}}}, Between::linear);
  motion.rotation = Animated<Vec3d>({{0.0, Vec3d{}}, {0.02, Vec3d{0, 0, 60}}}, Between::linear);
  out.gas_fills = {{.name = "air",
                    .shape = Shape::box(middle - half, middle + half),
                    .content = {.pressure = 303975.0, .temperature = 293.0},
                    .smoke = 1}};
  return out;
}

TEST(GasTight, VesselsThatTravelAndTurn) {
  for (const double walls : {1.0, 1.5, 2.0})
    for (const GasPressure pressure : {GasPressure::explicit_, GasPressure::implicit}) {
      Rig rig(travelling_vessel(walls, {42, 30, 1}), {.pressure = pressure});
      const Held before = held(rig, {0.6, 0.6, 0});
      double mass = 0, smoke = 0;
      while (rig.time < 0.02) {
        rig.step(1, 1e-3);
        const double part = rig.time / 0.02;
        const Held now = held(rig, {0.6 + 0.5 * part, 0.6 + 0.07 * part, 0});
        mass = std::max(mass, std::abs(now.mass / before.mass - 1));
        smoke = std::max(smoke, std::abs(now.smoke / before.smoke - 1));
      }
      EXPECT_LT(mass, 1e-5) << walls << ' ' << int(pressure);
      EXPECT_LT(smoke, 1e-5) << walls << ' ' << int(pressure);
    }
}

}  // namespace
}  // namespace silt::gas

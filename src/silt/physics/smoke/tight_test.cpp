#include <gtest/gtest.h>

#include <cmath>

#include "silt/physics/common/rooms_test_tools.h"
#include "silt/physics/smoke/test_rig.h"

// Nothing passes a plate from one cell on, whether it stands still or moves.
namespace silt {
namespace {

using test::for_each, test::Rig;

/// In the room that x is in.
double smoke_round(Rig& rig, double time, const Vec3d& x) {
  const Field<float> inside = test::room_round(rig.setting, time, x);
  rig.stepper.place_solids(rig.exec, time);
  const Field<float>& room = rig.stepper.workspace().room;
  double out = 0;
  for_each(rig.setting.domain.cells, [&](Cell c) { out += inside(c) * double(room(c)) * rig.state.density(c); });
  return out;
}

/// The largest part by which the smoke in a vessel that travels and turns differs from what there was.
double lost(int n, int dims, double walls, double dt, int steps) {
  const double h = 1.0 / n;
  Setting s = test::unit_box(n, dims);
  s.gravity = test::gravity(dims);
  const Vec3d middle{0.35, 0.45, dims == 3 ? 0.5 : 0.0}, half{0.15, 0.12, dims == 3 ? 0.17 : 1.0};
  s.obstacles = {test::closed_box(middle - half, middle + half, walls, h)};
  Motion& motion = s.obstacles[0].motion;
  const double lasts = steps * dt;
  motion.pivot = middle;
  motion.position = Animated<Vec3d>({{0.0, Vec3d{}}, {lasts, Vec3d{0.3, 0.07, 0}}}, Between::linear);
  motion.rotation = Animated<Vec3d>({{0.0, Vec3d{}}, {lasts, Vec3d{0, 0, 70}}}, Between::linear);
  s.fills = {Fill{"smoke", Shape::box(middle - half, middle + half), 1, 400, {}, {}}};
  Rig rig(s);
  rig.start();
  const double before = smoke_round(rig, 0, middle);
  double most = 0;
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(rig.substep(i * dt, dt).problem, "");
    const double part = (i + 1.0) / steps, now = smoke_round(rig, (i + 1) * dt, middle + part * Vec3d{0.3, 0.07, 0});
    most = std::max(most, std::abs(now / before - 1));
  }
  return most;
}

// In steps in which walls move by a fifth of a cell, by a cell, and by more than two.
TEST(SmokeTight, VesselsThatTravelAndTurn) {
  EXPECT_LT(lost(32, 2, 1, 0.02, 40), 1e-5);
  for (const double walls : {1.0, 2.0, 3.0}) {
    EXPECT_LT(lost(32, 2, walls, 0.08, 12), 1e-5) << walls;
    EXPECT_LT(lost(48, 2, walls, 0.1, 10), 1e-5) << walls;
  }
  EXPECT_LT(lost(18, 3, 1, 0.05, 8), 1e-5);
}

// What blows on one side of a plate that stands still leaves the air on the other side at rest.
TEST(SmokeTight, WindStaysOnItsSide) {
  for (const int dims : {2, 3})
    for (const double thickness : {1.0, 1.5, 2.0}) {
      const int n = dims == 2 ? 40 : 16;
      Setting s = test::unit_box(n, dims);
      s.gravity = test::gravity(dims);
      const Vec3d up = dims == 2 ? Vec3d{-0.3, 1, 0} : Vec3d{-0.3, 0.2, 1};
      s.obstacles = {test::endless_plate({0.5, 0.5, dims == 3 ? 0.5 : 0}, up, thickness, 1.0 / n)};
      s.fills = {
          Fill{"hot", Shape::sphere(dims == 3 ? Vec3d{0.4, 0.5, 0.2} : Vec3d{0.4, 0.2, 0}, 0.15), 1, 600, {}, {}}};
      Rig rig(s);
      rig.start();
      for (int i = 0; i < 30; ++i) rig.substep(0.04 * i, 0.04);
      const Field<float> above = test::room_round(s, 0, dims == 3 ? Vec3d{0.5, 0.5, 0.9} : Vec3d{0.5, 0.9, 0});
      double fastest = 0;
      for (int a = 0; a < dims; ++a)
        for_each(s.domain.cells, [&](Cell c) {
          if (above(c) != 0 && rig.cut().open[a](c) > 0)
            fastest = std::max(fastest, std::abs(double(rig.state.velocity[a](c))));
        });
      EXPECT_GT(rig.speed(), 0.3);
      EXPECT_LT(fastest, 1e-4 * rig.speed()) << dims << ' ' << thickness;
    }
}

}  // namespace
}  // namespace silt

#include <gtest/gtest.h>

#include "silt/physics/liquid/test_tools.h"

/// Films too thin for a level set, on solids anywhere in a cell.
namespace silt {
namespace {

using namespace test;

double rms_speed(const Flow& run) {
  double squares = 0;
  for (const LiquidPool& pool : run.state.pools) squares += sum_particles(run.exec, pool.particles).squares;
  return std::sqrt(squares / double(run.particles()));
}

void add_obstacle(Setting& s, const Shape& shape) {
  Obstacle o;
  o.shape = shape;
  s.obstacles.push_back(o);
}

// What lies as deep as less than half a cell has no surface that a level set could tell. As liquid it was driven from
// cells with a particle to those without, at 0.02 to 0.9 sqrt(g h); and where the floor is just above a row of cells,
// those that a film lay in were air: it gathered speed where it lay, 4 to 14 sqrt(g h) after 2 s and more later.
TEST(Films, RestOnAFloorAtAnyHeight) {
  constexpr int n = 10;
  constexpr double h = 1.0 / n;
  const double dt = 0.4 * std::sqrt(h / g), unit_speed = std::sqrt(g * h);
  for (const double floor : {0.0, 4.0, 4.2, 4.5, 4.8, 4.975})
    for (const double film : {0.28}) {
      Setting s = make_setting(3, n, Side::wall);
      s.domain.sides[2][1] = Side::open;
      if (floor > 0) add_obstacle(s, Shape::box({-1, -1, -1}, {2, 2, floor * h}));
      fill(s, Shape::box({-1, -1, -1}, {2, 2, (floor + film) * h}));
      Flow run({}, s);
      double fastest = 0, rms = 0;
      for (int i = 0; i < 40; ++i) {
        run.advance(dt, 1);
        fastest = std::max(fastest, run.fastest());
        if (i >= 20) rms = std::max(rms, rms_speed(run));
      }
      EXPECT_LT(fastest, 0.5 * unit_speed) << floor << ' ' << film;  // what lay a little higher falls for a step: 0.4
      EXPECT_LT(rms, 2e-3 * unit_speed) << floor << ' ' << film;
    }
}

// Along a slope nothing but gravity drives a film. With half a particle for each column the mean is known to a tenth.
TEST(Films, SlideDownSlopes) {
  constexpr int n = 24;
  constexpr double h = 1.0 / n, dt = 0.01, slope = 0.3;
  constexpr int steps = 30;
  const double sine = slope / std::sqrt(1 + slope * slope);
  for (const double top : {0.5, 0.51, 0.53}) {
    Setting s = make_setting(2, n, Side::wall);
    const Shape ground = Shape::plane({0.5, top, 0}, normalized(Vec3d{slope, 1, 0}));
    add_obstacle(s, ground);
    fill(s, Shape::intersect(
                Shape::box({0.1, 0, -1}, {0.45, 1, 1}),
                Shape::subtract(Shape::plane({0.5, top + 0.3 * h, 0}, normalized(Vec3d{slope, 1, 0})), ground)));
    Flow run({}, s);
    run.advance(dt, steps);
    const Vec3d u = run.velocity();
    const double along = (u.x - slope * u.y) / std::sqrt(1 + slope * slope), expected = g * sine * dt * steps;
    EXPECT_NEAR(along, expected, 0.15 * expected) << top;
    EXPECT_LT(run.fastest(), 1.35 * expected) << top;
    EXPECT_NEAR(u.y + slope * u.x, 0, 0.05 * expected) << top;
  }
}

// Over an edge there is nothing below.
TEST(Films, FallOffAnEdge) {
  constexpr int n = 24, steps = 40;
  constexpr double h = 1.0 / n, dt = 0.01, speed = 1;
  Setting s = make_setting(2, n, Side::open);
  add_obstacle(s, Shape::box({-1, -1, -1}, {0.5, 14.98 * h, 2}));
  fill(s, Shape::box({0.3, 14.98 * h, -1}, {0.48, 15.23 * h, 1}), {speed, 0, 0});
  Flow run({}, s);
  run.advance(dt, steps);
  const Vec3d u = run.velocity();
  EXPECT_GT(u.x, 0.7 * speed);
  EXPECT_LT(u.x, 1.05 * speed);
  EXPECT_LT(u.y, -g * 0.5 * dt * steps);
  EXPECT_GT(u.y, -g * dt * steps);
}

}  // namespace
}  // namespace silt

#include <gtest/gtest.h>

#include <limits>
#include <numbers>

#include "silt/physics/liquid/test_tools.h"

/// What anybody tries first: water that rests in vessels, falls, moves along, comes off ceilings.
namespace silt {
namespace {

using namespace test;

double rms_speed(const Flow& run) {
  double squares = 0;
  for (const LiquidPool& pool : run.state.pools) squares += sum_particles(run.exec, pool.particles).squares;
  return std::sqrt(squares / double(run.particles()));
}

/// The largest rms speed and the largest speed of any particle, over sqrt(g depth), while a vessel is looked at.
struct Unrest {
  double rms = 0, fastest = 0;
};
Unrest watch(Flow& run, double depth, double dt, int steps) {
  Unrest out;
  for (int i = 0; i < steps; ++i) {
    run.advance(dt, 1);
    out.rms = std::max(out.rms, rms_speed(run) / std::sqrt(g * depth));
    out.fastest = std::max(out.fastest, run.fastest() / std::sqrt(g * depth));
  }
  return out;
}

void add_obstacle(Setting& s, const Shape& shape) {
  Obstacle o;
  o.shape = shape;
  s.obstacles.push_back(o);
}

/// Two slopes that meet in the middle, 0.1 m above the floor; degrees.
Setting trough(int n, double left, double right, double height) {
  Setting s = make_setting(2, n, Side::wall);
  s.domain.sides[1][1] = Side::open;
  const double radian = std::numbers::pi / 180;
  add_obstacle(s, Shape::plane({0.5, 0.1, 0}, normalized(Vec3d{std::tan(left * radian), 1, 0})));
  add_obstacle(s, Shape::plane({0.5, 0.1, 0}, normalized(Vec3d{-std::tan(right * radian), 1, 0})));
  fill(s, Shape::box({-1, -1, -1}, {2, height, 2}));
  return s;
}

// With a level set that meets slopes at a right angle the 45 degree trough moves at 0.05, the one of 68 degrees at 0.5.
TEST(Everyday, WaterRestsBetweenSlopes) {
  constexpr struct {
    int n;
    double left, right, height;
  } cases[] = {{32, 45, 45, 0.41},   {48, 30, 60, 0.37},  {48, 35, 52, 0.4},  {40, 68, 68, 0.62},
               {32, 28, 27, 0.329},  {32, 20, 60, 0.26},  {32, 30, 60, 0.35}, {48, 10, 10, 0.1793},
               {24, 30, 30, 0.3598}, {24, 20, 20, 0.2638}};
  for (const auto& [n, left, right, height] : cases) {
    Flow run({}, trough(n, left, right, height));
    const Unrest seen = watch(run, height - 0.1, 1.0 / 48, 40);
    EXPECT_LT(seen.rms, 2e-3) << left << " " << right;
    EXPECT_LT(seen.fastest, 2e-2) << left << " " << right;
  }
}

// Gravity leans, and so does the surface: its crossings with edges across and along have to say the same height. By the
// straight line through the level set they do not, and water moves at 0.02 to 0.04.
TEST(Everyday, WaterRestsObliquelyToTheGrid) {
  constexpr struct {
    int dims, n;
    double lean;
    bool post;
  } cases[] = {{2, 48, 33, false}, {2, 40, 45, false}, {3, 20, 35, false}, {3, 20, 35, true}};
  for (const auto& [dims, n, lean, post] : cases) {
    Setting s = make_setting(dims, n, Side::wall);
    const double radian = lean * std::numbers::pi / 180;
    Vec3d up{std::sin(radian), std::cos(radian), 0};
    if (dims == 3) up = {0.8 * std::sin(radian), 0.6 * std::sin(radian), std::cos(radian)};
    s.gravity = up * -g;
    if (post) add_obstacle(s, Shape::box({0.45, 0.45, -1}, {0.7, 0.7, 2}));
    fill(s, Shape::plane({0.5, 0.5, 0.5}, up));
    Flow run({}, s);
    const Unrest seen = watch(run, 0.5, 1.0 / 60, dims == 3 ? 60 : 120);
    EXPECT_LT(seen.rms, 4e-3) << dims << " " << lean;
  }
}

// The same for long. Where each edge of a cell of air has a ghost pressure of its own the water beside it is turned,
// always the same way: after 5 s it moves at 0.0014 and 0.0016, and goes on gaining.
TEST(Everyday, WaterStaysAtRestObliquelyToTheGrid) {
  for (const double lean : {3.0, 11.5, 40.0}) {
    Setting s = make_setting(2, 48, Side::wall);
    s.domain.sides[1][1] = Side::open;
    const double radian = lean * std::numbers::pi / 180;
    const Vec3d up{-std::sin(radian), std::cos(radian), 0};
    s.gravity = up * -g;
    fill(s, Shape::plane({0.5, 0.5, 0}, up));
    Flow run({}, s);
    run.advance(1.0 / 60, 300);
    EXPECT_LT(watch(run, 0.5, 1.0 / 60, 60).rms, 5e-4) << lean;
  }
}

// A disc that a point pulls at from all sides. Where air near the surface takes the pressure's kick from the liquid and
// the field from where it is itself, it is turned: 0.0055 after 5 s, and gaining.
TEST(Everyday, WaterRestsRoundAPoint) {
  constexpr double pull = 5, radius = 0.3;
  Setting s = make_setting(2, 48, Side::open);
  s.gravity = {};
  s.forces = {{"pull", PointForce{{0.5, 0.5, 0}, -pull, 0.1, 1}, {}, {}, true}};
  fill(s, Shape::sphere({0.5, 0.5, 0}, radius));
  Flow run({}, s);
  run.advance(1.0 / 48, 240);
  EXPECT_LT(rms_speed(run) / std::sqrt(pull * radius), 5e-4);
}

// A vessel filled by the shape of its own inside: near the waterline a side of the fill is nearer than the surface, and
// is none. Where seeds then stay wherever chance put them, water moves at 0.009, in a box elsewhere at 0.07.
TEST(Everyday, WaterRestsInATurnedBoxFilledByItsInside) {
  constexpr double angle = 40.334 * std::numbers::pi / 180, top = 0.35965, depth = 0.2833;
  const Similarity turned{rotation_about({0, 0, 1}, angle), {0.5, 0.5, 0}, 1};
  const Shape inside = Shape::box({-0.3, -0.3, -1}, {0.3, 0.3, 1}).transformed(turned);
  Setting s = make_setting(2, 24, Side::wall);
  add_obstacle(s, Shape::subtract(Shape::box({-1, -1, -1}, {2, 2, 2}), inside));
  fill(s, Shape::intersect(inside, Shape::box({-1, -1, -1}, {2, top, 1})));
  Flow run({}, s);
  const Unrest seen = watch(run, depth, 1.0 / 48, 96);
  EXPECT_LT(seen.rms, 2e-3);
  EXPECT_LT(seen.fastest, 2e-2);
}

// A level at the height of cells' centres, a little below and a little above. Where the least depth of a liquid cell
// is held edge by edge, the edges along the surface push with g; where phi is more beside a particle 1.49 cells away
// than where there is none, neighbours say different heights: water boils at 0.004 to 0.015, and sloshes.
TEST(Everyday, WaterRestsWithItsLevelAtCentres) {
  for (const double row : {18.466, 18.5, 18.525}) {
    Flow run({}, trough(32, 50.35, 50.35, row / 32));
    const Unrest seen = watch(run, row / 32 - 0.1, 1.0 / 48, 80);
    EXPECT_LT(seen.rms, 1e-3) << row;
    EXPECT_LT(seen.fastest, 2e-2) << row;
  }
}

// A pool against a ceiling that leans by 11.5 degrees. For cells under the ceiling the surface's normal was taken from
// the first column or two of cells that had it, and with it walks of ten cells along the surface ended a row too high:
// a cell in the ceiling, a cell and a half below the level, was air now and then, and water moved at 0.03.
TEST(Everyday, WaterRestsAgainstALeaningCeiling) {
  constexpr double level = 0.29;
  Setting s = make_setting(2, 64, Side::wall);
  s.domain.sides[1][1] = Side::open;
  add_obstacle(s, Shape::plane({0.5, 0.3, 0}, normalized(Vec3d{0.2, -0.98, 0})));
  fill(s, Shape::box({-1, -1, -1}, {2, level, 2}));
  Flow run({}, s);
  const Unrest seen = watch(run, level, 1.0 / 72, 72);
  EXPECT_LT(seen.rms, 5e-4);
  EXPECT_LT(seen.fastest, 5e-3);
}

// Four slopes. What should even out crowds in cells that solids all but fill went through their slits at 3 m/s, and
// took particles along; seeds in the corners of the waterline fell.
TEST(Everyday, WaterRestsInPyramids) {
  constexpr struct {
    int n;
    double degrees, height;
  } cases[] = {{24, 22, 0.25}, {32, 22, 0.255}, {24, 50, 0.454}};
  for (const auto& [n, degrees, height] : cases) {
    Setting s = make_setting(3, n, Side::wall);
    const double rise = std::tan(degrees * std::numbers::pi / 180);
    for (const auto& [x, y] : {std::pair{rise, 0.0}, {-rise, 0.0}, {0.0, rise}, {0.0, -rise}})
      add_obstacle(s, Shape::plane({0.5, 0.5, 0.1}, normalized(Vec3d{x, y, 1})));
    fill(s, Shape::box({-1, -1, -1}, {2, 2, height}));
    Flow run({}, s);
    const Unrest seen = watch(run, height - 0.1, 1.0 / 48, 60);
    EXPECT_LT(seen.rms, 5e-3) << degrees;
    EXPECT_LT(seen.fastest, 3e-2) << degrees;
  }
}

// The tip of a wedge has room for less than a particle: as air it was a hole through which nine tenths got lost.
TEST(Everyday, NarrowTipsDoNotLeak) {
  Flow run({}, trough(48, 75, 75, 0.6));
  const std::size_t before = run.particles();
  const Unrest seen = watch(run, 0.5, 1.0 / 48, 40);
  EXPECT_EQ(run.particles(), before);
  EXPECT_LT(seen.rms, 2e-3);
}

TEST(Everyday, WaterRestsInAFunnelAndABowl) {
  for (const bool bowl : {false, true}) {
    Setting s = make_setting(3, 24, Side::wall);
    s.domain.sides[2][1] = Side::open;
    const Shape hole =
        bowl ? Shape::sphere({0.5, 0.5, 0.6}, 0.42) : Shape::cone({0.5, 0.5, 0.8}, {0.5, 0.5, 0.08}, 0.7, 0);
    add_obstacle(s, Shape::subtract(Shape::box({-1, -1, -1}, {2, 2, 0.6}), hole));
    fill(s, Shape::box({-1, -1, -1}, {2, 2, 0.43}));
    Flow run({}, s);
    const Unrest seen = watch(run, 0.3, 1.0 / 48, 12);
    EXPECT_LT(seen.rms, 2e-3) << bowl;
    EXPECT_LT(seen.fastest, 2e-2) << bowl;
  }
}

// Where an oblique slope meets a wall of the domain, the wall's faces slid along the slope: water flowed into the wall
// at a quarter of g dt, and piled up there.
TEST(Everyday, WaterRestsBesideARoofInATank) {
  Setting s = make_setting(3, 20, Side::wall);
  const Vec3d one{0.238, 0.788, 1}, other{-0.238, -0.788, 1}, ridge{0.5, 0.5, 0.5};
  add_obstacle(s, Shape::intersect(Shape::plane(ridge, normalized(one)), Shape::plane(ridge, normalized(other))));
  fill(s, Shape::box({-1, -1, -1}, {2, 2, 0.388}));
  Flow run({}, s);
  const Unrest seen = watch(run, 0.388, 1.0 / 48, 24);
  EXPECT_LT(seen.rms, 1e-3);
  EXPECT_LT(seen.fastest, 2e-2);
}

// Cells of a wall of one cell reach both sides of it. Where they took the level from the dry side the cup leaked
// through its bottom edge; where particles behind the wall made them liquid, that fell down the wall at g.
TEST(Everyday, WaterRestsInACupWithWallsOfOneCell) {
  constexpr int n = 24;
  constexpr double wall = 1.0 / n, radius = 0.27, bottom = 0.2, height = 0.5;
  Setting s = make_setting(3, n, Side::wall);
  const Shape inside = Shape::cylinder({0.5, 0.5, bottom}, {0.5, 0.5, 0.9}, radius);
  add_obstacle(s, Shape::subtract(Shape::cylinder({0.5, 0.5, bottom - wall}, {0.5, 0.5, 0.7}, radius + wall), inside));
  fill(s, Shape::intersect(inside, Shape::box({0, 0, 0}, {1, 1, height})));
  Flow run({}, s);
  const Unrest seen = watch(run, height - bottom, 1.0 / 48, 24);
  EXPECT_LT(seen.rms, 5e-3);
  EXPECT_LT(seen.fastest, 0.1);
}

// Seen from a boat that drifts along, a pool is at rest. RK2 through a frozen field samples half a step downstream:
// waves grew to 0.1 m/s within three seconds.
TEST(Everyday, APoolThatMovesMakesNoWaves) {
  for (const double speed : {0.5, 3.0}) {
    Setting s = make_setting(2, 32, Side::periodic);
    s.domain.sides[1] = {Side::wall, Side::open};
    fill(s, Shape::box({-1, -1, -1}, {2, 0.25, 2}), {speed, 0, 0});
    Flow run({}, s);
    const double dt = std::min(1.0 / 48, 2.0 / 32 / speed);
    run.advance(dt, int(2 / dt));
    double squares = 0;
    Vec3d sum{};
    for (const LiquidPool& pool : run.state.pools) {
      const ParticleSums sums = sum_particles(serial, pool.particles);
      squares += sums.squares, sum += sums.velocities;
    }
    const Vec3d mean = sum / double(run.particles());
    const double own = std::sqrt(std::max(0.0, squares / double(run.particles()) - dot(mean, mean)));
    EXPECT_LT(own, 2e-3 * std::sqrt(g * 0.25)) << speed;
    EXPECT_NEAR(mean.x, speed, 1e-3 * speed);
  }
}

// A half-full box with walls of one cell and of three, and a pool with a block in it: all of it moves as one. Particles
// meet the grid in the middle of a step, and solids have to be where they are then: at the end of it they were a cell
// farther, and water in the box moved at 0.04.
TEST(Everyday, VesselsThatMoveCarryTheirWaterAtRest) {
  for (const double walls : {1.05, 3.0, 0.0}) {
    constexpr int n = 40;
    constexpr double speed = 3, h = 1.0 / n, level = 0.5;
    Setting s = make_setting(2, n, Side::periodic);
    s.domain.sides[1] = {Side::wall, Side::open};
    const Vec3d half{0.21 + walls * h, 0.2 + walls * h, 2};
    const Shape inside = Shape::box({0.29, 0.3, -1}, {0.71, 0.7, 1});
    Obstacle o;
    o.shape = walls > 0 ? Shape::subtract(Shape::box(Vec3d{0.5, 0.5, 0} - half, Vec3d{0.5, 0.5, 0} + half), inside)
                        : Shape::box({0.4, -1, -1}, {0.6, 0.3, 1});
    o.motion.position = Animated<Vec3d>({{0.0, {0, 0, 0}}, {2.0, {2 * speed, 0, 0}}}, Between::linear);
    s.obstacles.push_back(o);
    const Shape below = Shape::box({-1, -1, -2}, {2, level, 2});
    fill(s, walls > 0 ? Shape::intersect(inside, below) : below, {speed, 0, 0});
    Flow run({}, s);
    double own = 0;
    for (int i = 0; i < 40; ++i) {
      run.advance(2 * h / speed, 1);
      double squares = 0;
      for (const LiquidPool& pool : run.state.pools) {
        const ParticleSums sums = sum_particles(serial, pool.particles);
        squares += sums.squares - 2 * speed * sums.velocities.x + speed * speed * double(pool.particles.count);
      }
      own = std::max(own, std::sqrt(std::max(0.0, squares) / double(run.particles())));
    }
    EXPECT_LT(own, 2e-3 * std::sqrt(g * 0.3)) << walls;
    EXPECT_EQ(run.swallowed, 0);
  }
}

/// Own and vertical velocities of all particles, root mean square [m/s].
struct OwnSpeeds {
  double own, vertical;
};
OwnSpeeds own_speeds(const Flow& run) {
  double squares = 0, vertical = 0;
  for (const LiquidPool& pool : run.state.pools) {
    squares += sum_particles(run.exec, pool.particles).squares;
    const ParticleView view = read(serial, pool.particles);
    for (std::size_t i = 0; i < pool.particles.count; ++i)
      vertical += double(view.velocity[2][i]) * view.velocity[2][i];
  }
  const double count = double(run.particles());
  const Vec3d mean = run.velocity();
  return {std::sqrt(std::max(0.0, squares / count - dot(mean, mean))), std::sqrt(vertical / count)};
}

// A river of 2 m/s beside a bay at rest, seen from the bay, from the river and from between: all see
// the same, and the surface stays level until the sheet between the two rolls up. Particles that RK2 moves through the
// frozen flow see the river's own waves differently.
TEST(Everyday, ARiverBesideABayLooksTheSameFromAnywhere) {
  constexpr double depth = 0.25, river = 2;
  OwnSpeeds from_bay{};
  for (const double frame : {0.0, 1.0, 2.0}) {
    Setting s = make_setting(3, 16, Side::wall);
    s.domain.sides[0] = {Side::periodic, Side::periodic};
    fill(s, Shape::box({-1, -1, -1}, {2, 0.5, depth}), {river - frame, 0, 0});
    fill(s, Shape::box({-1, 0.5, -1}, {2, 2, depth}), {-frame, 0, 0});
    Flow run({}, s);
    run.advance(1.0 / 64, 24);
    const OwnSpeeds seen = own_speeds(run);
    if (frame == 0) from_bay = seen;
    EXPECT_GT(seen.own, 0.9) << "half of the river's, but for what the sheet has mixed";
    EXPECT_NEAR(seen.own, from_bay.own, 2e-3 * std::sqrt(g * depth)) << frame;
    EXPECT_LT(seen.vertical, 2e-3 * std::sqrt(g * depth)) << frame;
  }
}

double mean_height(const Flow& run) {
  double sum = 0;
  const auto add = [&](const Particles& particles) {
    const ParticleView view = read(serial, particles);
    for (std::size_t i = 0; i < particles.count; ++i)
      sum +=
          (view.cell_at(std::int64_t(i)).y + double(view.offset_at(std::int64_t(i)).y)) * run.setting.domain.lattice.h;
  };
  for (const LiquidPool& pool : run.state.pools) add(pool.particles);
  add(run.state.spray);
  return sum / double(run.particles());
}

// Half of a step's way is gone before gravity acts, half after: exact for what falls, whatever the steps. With the
// whole way after it, a drop falls 5 % too far in half a second at 24 steps a second.
TEST(Everyday, FreeFallIsExact) {
  Setting s = make_setting(2, 32, Side::open);
  fill(s, Shape::box({0.3, 0.6, -1}, {0.7, 0.9, 1}));
  Flow run({}, s);
  const double before = mean_height(run);
  for (const double dt : {0.02, 0.04, 0.01, 0.03}) run.advance(dt, 2);
  EXPECT_NEAR(before - mean_height(run), 0.5 * g * 0.2 * 0.2, 1e-4 * 0.5 * g * 0.2 * 0.2);
  EXPECT_NEAR(run.velocity().y, -g * 0.2, 1e-4 * g * 0.2);
}

TEST(Everyday, CeilingsAndLidsLetGo) {
  for (const LiquidWalls walls : {LiquidWalls::let_go, LiquidWalls::hold}) {
    Setting s = make_setting(2, 32, Side::wall);
    fill(s, Shape::box({-1, 0.8, -1}, {2, 2, 2}));
    LiquidParams params;
    params.walls = walls;
    Flow run(params, s);
    run.advance(0.01, 20);
    if (walls == LiquidWalls::let_go)
      EXPECT_NEAR(run.velocity().y, -g * 0.2, 0.02 * g * 0.2);
    else
      EXPECT_GT(run.velocity().y, -0.1 * g * 0.2);
  }
}

/// A slab of water, 0.2 m thick, between periodic sides; 0.15 s later: what is left of it within two cells of the
/// ceiling at y = 0.8, over the middle of each half.
struct Hanging {
  double left, right;
};
Hanging hang(Setting s, const LiquidParams& params = {}) {
  s.domain.sides[0] = {Side::periodic, Side::periodic};
  fill(s, Shape::box({-1, 0.6, -1}, {2, 0.8, 2}));
  Flow run(params, s);
  run.advance(0.01, 15);
  Hanging out{};
  const double whole = 0.2 * 32 * 2 * 4;  // particles of so much of two layers
  for (const LiquidPool& pool : run.state.pools) {
    const ParticleView view = read(serial, pool.particles);
    for (std::size_t i = 0; i < pool.particles.count; ++i) {
      const Vec3d x =
          (view.cell_at(std::int64_t(i)).as<double>() + view.offset_at(std::int64_t(i)).as<double>()) / 32.0;
      if (x.y < 0.8 - 2.0 / 32) continue;
      out.left += (x.x > 0.15 && x.x < 0.35) / whole, out.right += (x.x > 0.65 && x.x < 0.85) / whole;
    }
  }
  return out;
}

// A ceiling of two slabs. One that holds keeps what it touches, the other lets go, whatever the water says; of numbers,
// 0.2 m of water pull with 1962 Pa.
TEST(Everyday, EachCeilingHoldsAsItIsTold) {
  const double holds = std::numeric_limits<double>::infinity();
  const auto ceilings = [](std::optional<double> left, std::optional<double> right) {
    Setting s = make_setting(2, 32, Side::wall);
    add_obstacle(s, Shape::box({0, 0.8, -1}, {0.5, 2, 1}));
    add_obstacle(s, Shape::box({0.5, 0.8, -1}, {1, 2, 1}));
    s.obstacles[0].suction = left, s.obstacles[1].suction = right;
    return s;
  };
  LiquidParams water;
  const Hanging half = hang(ceilings(holds, {}), water);
  EXPECT_GT(half.left, 0.8);
  EXPECT_EQ(half.right, 0);
  const Hanging numbers = hang(ceilings(500, 4000), water);
  EXPECT_EQ(numbers.left, 0);
  EXPECT_GT(numbers.right, 0.8);
  water.walls = LiquidWalls::hold;
  const Hanging other = hang(ceilings({}, 0), water);
  EXPECT_GT(other.left, 0.8);
  EXPECT_EQ(other.right, 0);
}

TEST(Everyday, ASideOfTheDomainHoldsAsItIsTold) {
  for (const bool holds : {false, true}) {
    Setting s = make_setting(2, 32, Side::wall);
    s.domain.cells.hi.y = 26;  // its ceiling is at 0.8125
    Wall ceiling;
    ceiling.axis = 1, ceiling.end = 1, ceiling.no_slip = false;
    ceiling.suction = holds ? std::numeric_limits<double>::infinity() : 0;
    s.walls.push_back(ceiling);
    fill(s, Shape::box({-1, 0.8, -1}, {2, 2, 2}));
    const Hanging water = hang(s);
    EXPECT_EQ(water.left > 0.8 && water.right > 0.8, holds) << water.left << ' ' << water.right;
    EXPECT_EQ(water.left == 0 && water.right == 0, !holds);
  }
}

// A plate that is pulled up from the surface takes water along as long as it holds it.
TEST(Everyday, AnObstacleThatHoldsTakesWaterAlong) {
  const auto lifted = [](std::optional<double> suction) {
    Setting s = make_setting(2, 32, Side::wall);
    s.domain.sides[1][1] = Side::open;
    add_obstacle(s, Shape::box({0.35, 0.38, -1}, {0.65, 0.5, 1}));
    s.obstacles[0].suction = suction;
    s.obstacles[0].motion.position = Animated<Vec3d>({{0, {0, 0, 0}}, {0.2, {0, 0.2, 0}}}, Between::linear);
    fill(s, Shape::box({-1, -1, -1}, {2, 0.4, 2}));
    Flow run({}, s);
    run.advance(0.01, 15);
    double highest = 0;
    for (const LiquidPool& pool : run.state.pools) {
      const ParticleView view = read(serial, pool.particles);
      for (std::size_t i = 0; i < pool.particles.count; ++i) {
        const Vec3d x =
            (view.cell_at(std::int64_t(i)).as<double>() + view.offset_at(std::int64_t(i)).as<double>()) / 32.0;
        if (std::abs(x.x - 0.5) < 0.1) highest = std::max(highest, x.y);
      }
    }
    return highest;
  };
  EXPECT_GT(lifted(std::numeric_limits<double>::infinity()), 0.48) << "the plate is at 0.53";
  EXPECT_LT(lifted({}), 0.43);
}

/// Particles on the far side of a plane.
std::size_t behind(const Flow& run, const Vec3d& point, const Vec3d& normal) {
  std::size_t out = 0;
  const auto count = [&](const Particles& particles) {
    const ParticleView view = read(serial, particles);
    for (std::size_t i = 0; i < particles.count; ++i) {
      const Vec3d x = (view.cell_at(std::int64_t(i)).as<double>() + view.offset_at(std::int64_t(i)).as<double>()) *
                      run.setting.domain.lattice.h;
      out += dot((run.setting.domain.lattice.dims() == 2 ? Vec3d{x.x, x.y, 0} : x) - point, normal) < 0;
    }
  };
  for (const LiquidPool& pool : run.state.pools) count(pool.particles);
  count(run.state.spray);
  return out;
}

// Water falls onto a plate of one and of two cells, at 45 degrees and at 17, as fast as steps of two cells allow.
TEST(Everyday, NothingPassesAPlate) {
  for (const double cells : {1.0, 2.0})
    for (const double degrees : {17.0, 45.0}) {
      constexpr int n = 32;
      Setting s = make_setting(2, n, Side::wall);
      s.domain.sides[1][1] = Side::open;
      const double turn = degrees * std::numbers::pi / 180, half = 0.5 * cells / n;
      const Vec3d normal{-std::sin(turn), std::cos(turn), 0}, middle{0.5, 0.45, 0};
      add_obstacle(s, Shape::intersect(Shape::plane(middle + normal * half, normal),
                                       Shape::plane(middle - normal * half, normal * -1.0)));
      fill(s,
           Shape::subtract(Shape::box({0.05, 0.6, -1}, {0.95, 0.99, 1}), Shape::plane(middle + normal * 0.1, normal)),
           {0, -3, 0});
      Flow run({}, s);
      run.advance(0.01, 60);
      const std::size_t below = behind(run, middle, normal);
      EXPECT_EQ(below, 0u) << cells << " cells, " << degrees << " degrees";
    }
}

// A jet of 20 m/s meets a plate that is not thin, in steps of up to five cells. Half of such a step leads more than
// half through it, and the nearest way out of it to the other side.
TEST(Everyday, NothingPassesAThickPlate) {
  for (const double cells : {3.2, 4.0, 6.0})
    for (const double degrees : {0.0, 30.0}) {
      constexpr int n = 32;
      Setting s = make_setting(2, n, Side::wall);
      s.domain.sides[1][1] = Side::open;
      const double turn = degrees * std::numbers::pi / 180, half = 0.5 * cells / n;
      const Vec3d normal{-std::sin(turn), std::cos(turn), 0}, middle{0.5, 0.45, 0};
      add_obstacle(s, Shape::intersect(Shape::plane(middle + normal * half, normal),
                                       Shape::plane(middle - normal * half, normal * -1.0)));
      fill(s, Shape::box({0.3, 0.75, -1}, {0.6, 0.99, 1}), {0, -20, 0});
      LiquidParams params;
      params.cfl = 5;
      Flow run(params, s);
      run.advance(5.0 / n / 20, 30);
      EXPECT_EQ(behind(run, middle, normal), 0u) << cells << " cells, " << degrees << " degrees";
    }
}

// A lid that presses on water which cannot leave, six cells thick. Crowds that have no room were moved by more cells
// than that in a step, and came out on top.
TEST(Everyday, NothingPassesALidThatSqueezes) {
  constexpr int n = 64;
  Setting s = make_setting(2, n, Side::wall);
  s.domain.sides[1][1] = Side::open;
  Obstacle lid;
  lid.shape = Shape::box({-0.05, 0.55, -1}, {1.05, 0.65, 1});
  lid.motion.position = Animated<Vec3d>({{0, {0, 0, 0}}, {1, {0, -0.4, 0}}}, Between::smooth);
  s.obstacles.push_back(lid);
  fill(s, Shape::box({-1, -1, -1}, {2, 0.5, 2}));
  Flow run({}, s);
  run.advance(1.0 / 72, 90);
  EXPECT_EQ(behind(run, {0.5, 0.2, 0}, {0, -1, 0}), 0u);
  EXPECT_LT(run.fastest(), 0.1) << "it has stood still for a quarter of a second";
}

// Honey in a cup whose walls it sticks to. Gravity that viscosity sees before the pressure drives it round at 0.02.
TEST(Everyday, HoneyRestsWhereItSticks) {
  Setting s = make_setting(2, 32, Side::wall);
  s.domain.sides[1][1] = Side::open;
  add_obstacle(s,
               Shape::subtract(Shape::box({0.2, 0.14, -1}, {0.8, 0.66, 1}), Shape::box({0.24, 0.2, -1}, {0.76, 1, 1})));
  s.obstacles.back().no_slip = true;
  fill(s, Shape::box({0.24, 0.2, -1}, {0.76, 0.41, 1}));
  LiquidParams honey;
  honey.viscosity = 7e-3;
  Flow run(honey, s);
  const Unrest seen = watch(run, 0.21, 1.0 / 48, 24);
  EXPECT_LT(seen.rms, 5e-4);
  EXPECT_LT(seen.fastest, 5e-3);
}

// A plate of one cell that leans to all axes and goes beyond the domain's walls, hit by a ball of water at 15 m/s:
// along the seams with the walls, in whose corners particles crowd and are scattered, too.
TEST(Everyday, NothingPassesWhereAPlateMeetsWalls) {
  constexpr int n = 24;
  for (const double cells : {1.0, 1.5}) {
    Setting s = make_setting(3, n, Side::wall);
    const double half = 0.5 * cells / n;
    const Vec3d normal = normalized(Vec3d{0.5, -0.35, 0.79}), middle{0.5, 0.5, 0.35};
    add_obstacle(s, Shape::intersect(Shape::plane(middle + normal * half, normal),
                                     Shape::plane(middle - normal * half, normal * -1.0)));
    fill(s, Shape::sphere({0.5, 0.5, 0.8}, 0.15), {0, 0, -15});
    Flow run({}, s);
    run.advance(0.005, 60);
    EXPECT_EQ(behind(run, middle, normal), 0u) << cells;
  }
}

// A blade of one cell, upright and leaning, sweeps through a pool at 1.6 m/s.
TEST(Everyday, ABladePushesAllItMeets) {
  for (const double degrees : {0.0, 20.0}) {
    constexpr int n = 40;
    const double turn = degrees * std::numbers::pi / 180, half = 0.5 / n;
    const Vec3d normal{std::cos(turn), -std::sin(turn), 0}, from{0.2, 0, 0}, to{0.6, 0, 0};
    Setting s = make_setting(2, n, Side::wall);
    Obstacle blade;
    blade.shape = Shape::intersect(Shape::plane(normal * half, normal), Shape::plane(normal * -half, normal * -1.0));
    blade.motion.position = Animated<Vec3d>({{0.0, from}, {0.25, to}}, Between::linear);
    s.obstacles.push_back(blade);
    fill(s, Shape::subtract(Shape::box({0, 0, -1}, {1, 0.25, 1}), Shape::plane(from, normal)));
    Flow run({}, s);
    run.advance(1.0 / 96, 24);
    EXPECT_EQ(behind(run, to, normal), 0u) << degrees;
  }
}

}  // namespace
}  // namespace silt

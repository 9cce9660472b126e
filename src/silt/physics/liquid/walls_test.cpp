#include <gtest/gtest.h>

#include <numbers>

#include "silt/physics/liquid/test_tools.h"

/// What walls keep apart, and what they do not stir.
namespace silt {
namespace {

using namespace test;

double rms_speed(const Flow& run) {
  double squares = 0;
  for (const LiquidPool& pool : run.state.pools) squares += sum_particles(run.exec, pool.particles).squares;
  return std::sqrt(squares / double(run.particles()));
}

/// A river of 1 m/s along thin walls, and still water on their other side. Periodic; in 3D half full, in 2D full and
/// without gravity.
struct River {
  int dims = 2;
  double thickness = 1, offset = 0;  ///< of the walls [cells]
  int across = 0;                    ///< cells in which walls rise by the domain's height; 0: they lie along x
  double leaning = 0;                ///< of walls along x [degrees]
  static constexpr int n = 16;
  static constexpr double depth = 0.375;

  double slope() const { return across ? double(n) / across : 0; }
  double lean() const { return std::tan(leaning * std::numbers::pi / 180); }
  Vec3d normal() const { return normalized(Vec3d{-slope(), 1, -lean()}); }

  Setting setting() const {
    Setting s = make_setting(dims, n, Side::periodic);
    s.domain.cells.hi.x = across ? across : n;
    if (dims == 3) s.domain.sides[2] = {Side::wall, Side::open}, s.domain.cells.hi.z = n * 5 / 8;
    if (dims == 2) s.gravity = {};
    Obstacle walls;
    walls.shape = between(-9.25, -9.25, 0.5 * thickness / n);
    Shape flowing = between(-9.75, -9.25), still = between(-9.25, -8.75);
    for (int k = -6; k <= 6; ++k) {
      for (const double at : {0.25, 0.75})
        walls.shape = Shape::unite(walls.shape, between(k + at, k + at, 0.5 * thickness / n));
      flowing = Shape::unite(flowing, between(k + 0.25, k + 0.75));
      still = Shape::unite(still, between(k + 0.75, k + 1.25));
    }
    s.obstacles.push_back(walls);
    const Shape water = Shape::box({-99, -99, -9}, {99, 99, dims == 3 ? depth : 9.0});
    fill(s, Shape::intersect(flowing, water), normalized(Vec3d{1, slope(), 0}));
    fill(s, Shape::intersect(still, water));
    return s;
  }
  /// From `more` before one place along y to `more` beyond another, where x = z = 0.
  Shape between(double low, double high, double more = 0) const {
    const Vec3d n_ = normal(), shift{0, offset / n, 0};
    return Shape::intersect(Shape::plane(Vec3d{0, high, 0} + shift + n_ * more, n_),
                            Shape::plane(Vec3d{0, low, 0} + shift - n_ * more, n_ * -1.0));
  }
  bool flows(const Vec3d& x) const {
    const double y = x.y - slope() * x.x - (dims == 3 ? lean() * x.z : 0) - offset / n - 0.25;
    return y - std::floor(y) < 0.5;
  }
};

struct TwoSides {
  double still = 0, river = 0;  ///< rms speed of the one, mean speed of the other [m/s]
};
TwoSides look(const Flow& run, const River& river) {
  TwoSides out;
  double still = 0, flowing = 0;
  const Vec3d along = normalized(Vec3d{1, river.slope(), 0});
  for (const LiquidPool& pool : run.state.pools) {
    const ParticleView view = read(serial, pool.particles);
    for (std::int64_t p = 0; p < std::int64_t(pool.particles.count); ++p) {
      const Vec3d x = (view.cell_at(p).as<double>() + view.offset_at(p).as<double>()) * run.setting.domain.lattice.h;
      Vec3d u{};
      for (int a = 0; a < river.dims; ++a) u[a] = view.velocity[a][p];
      if (river.flows(x))
        out.river += dot(u, along), flowing += 1;
      else
        out.still += dot(u, u), still += 1;
    }
  }
  out.still = std::sqrt(out.still / still), out.river /= flowing;
  return out;
}

// Transfers reach one and a half cells: through a wall of one the river dragged the still side to 0.1 to 0.17 m/s.
TEST(Walls, KeepARiverFromStillWater) {
  constexpr River rivers[] = {
      {2, 1, 0},          {2, 1, 0.5},      {2, 1.5, 0.3},    {2, 2, 0.3},       {2, 3, 0},       {2, 4, 0.3},
      {2, 1, 0.3, 44},    {2, 1.5, 0, 44},  {2, 2, 0.5, 44},  {2, 3, 0.3, 44},   {2, 1, 0, 16},   {2, 1, 0.5, 16},
      {2, 1.5, 0.3, 16},  {2, 2, 0.3, 16},  {3, 1, 0},        {3, 1, 0.3},       {3, 1.5, 0.3},   {3, 2, 0.3},
      {3, 3, 0.3},        {3, 4, 0},        {3, 1, 0.3, 44},  {3, 1.5, 0, 44},   {3, 1, 0.5, 16}, {3, 2, 0.5, 16},
      {3, 1, 0.3, 0, 20}, {3, 2, 0, 0, 20}, {3, 1, 0, 0, 45}, {3, 2, 0.3, 0, 45}};
  for (const River& river : rivers) {
    Flow flow({}, river.setting());
    flow.advance(1.0 / 32, 32);
    const TwoSides seen = look(flow, river);
    const double most = 2e-3 * std::sqrt(g * River::depth);
    EXPECT_LT(seen.still, most) << river.dims << "D, " << river.thickness << " cells, offset " << river.offset
                                << ", across " << river.across << ", leaning " << river.leaning;
    EXPECT_GT(seen.river, 0.9 * (river.across == 16 ? 0.75 : 1)) << river.across;
  }
}

/// A vessel, half full, that spins about its own axis.
struct Spinning {
  int dims = 2;
  bool ball = false;
  double tilt = 0;  ///< of the axis [degrees]
  bool sticks = false;

  Setting setting() const {
    constexpr double radius = 0.37, half = 0.24;
    Setting s = make_setting(dims, 32, Side::wall);
    const double angle = tilt * std::numbers::pi / 180;
    const Vec3d middle{0.5, 0.5, dims == 3 ? 0.5 : 0.0};
    const Vec3d axis = dims == 3 ? Vec3d{0, std::cos(angle), std::sin(angle)} : Vec3d{0, 0, 1};
    const Shape inside =
        ball ? Shape::sphere(middle, radius) : Shape::cylinder(middle - axis * half, middle + axis * half, radius);
    Obstacle vessel;
    vessel.shape = Shape::subtract(Shape::box({-1, -1, -1}, {2, 2, 2}), inside);
    vessel.motion.pivot = middle;
    vessel.motion.spin_axis = axis;
    vessel.motion.spin = Animated<double>(720);
    vessel.no_slip = sticks;
    s.obstacles.push_back(vessel);
    Vec3d top{2, 2, 2};
    top[dims - 1] = 0.5;
    fill(s, Shape::intersect(inside, Shape::box({-1, -1, -1}, top)));
    return s;
  }
};

// Its form stays where it is, and nothing makes room for it. What the cells' faces had of its velocity did not add up
// to nothing: of these the balls stirred 0.003 sqrt(g H), the cylinders 0.04 to 0.08.
TEST(Walls, ThatSpinAboutTheirAxisStirNothing) {
  constexpr Spinning vessels[] = {{2}, {3}, {3, true}, {3, false, 30}, {3, false, 90}};
  for (const Spinning& vessel : vessels) {
    Flow flow({}, vessel.setting());
    flow.advance(1.0 / 48, 24);
    EXPECT_LT(rms_speed(flow), 1.5e-3 * std::sqrt(g * 0.37)) << vessel.dims << ' ' << vessel.ball << ' ' << vessel.tilt;
  }
  Flow sticky({}, Spinning{.sticks = true}.setting());
  sticky.advance(1.0 / 48, 24);
  EXPECT_GT(rms_speed(sticky), 5e-3 * std::sqrt(g * 0.37)) << "drags";
}

// A box, half full, turns about a level axis. Where a wall meets water that falls onto it, what it displaced left
// through the thousandths of a cell between the wall and the corners of cells: at 25 m/s where the vessel's size
// allows 4.
TEST(Walls, ThatTumbleShootNothingOut) {
  constexpr struct {
    int n;
    double inside, degrees;  ///< width [cells], a second
  } vessels[] = {{40, 24, 240}, {30, 17, 400}};
  for (const auto& [n, inside, degrees] : vessels) {
    const double width = inside / n, half = 0.5 * width, spin = degrees * std::numbers::pi / 180;
    const Vec3d middle{0.5, 0.5, 0.5}, corner{half, half, half}, wall{0.2, 0.2, 0.2};
    Setting s = make_setting(3, n, Side::wall);
    Obstacle vessel;
    vessel.shape = Shape::subtract(Shape::box(middle - corner - wall, middle + corner + wall),
                                   Shape::box(middle - corner, middle + corner));
    vessel.motion.pivot = middle;
    vessel.motion.spin_axis = {0, 1, 0};
    vessel.motion.spin = Animated<double>(degrees);
    s.obstacles.push_back(vessel);
    fill(s, Shape::box(middle - corner, middle + Vec3d{half, half, 0}));
    Flow run({}, s);
    const std::size_t before = run.particles();
    double fastest = 0;
    for (int i = 0; i < 72; ++i) {
      run.advance(1.0 / 96, 1);
      fastest = std::max(fastest, run.fastest());
    }
    EXPECT_LT(fastest, 1.2 * (std::sqrt(2 * g * width) + spin * width)) << n << ' ' << degrees;
    EXPECT_EQ(run.particles(), before) << n << ' ' << degrees;
  }
}

/// A closed tank wholly full of water that turns, or a full room with a paddle in it.
struct Full {
  bool paddle = false;
  double degrees = 90;  ///< a second, at its end

  Setting setting() const {
    Setting s = make_setting(2, paddle ? 48 : 64, Side::wall);
    const Vec3d half = paddle ? Vec3d{0.25, 0.05, 1} : Vec3d{0.27, 0.17, 1}, wall{0.04, 0.04, 1}, middle{0.5, 0.5, 0};
    const Shape box = Shape::box(middle - half, middle + half);
    Obstacle turning;
    turning.shape = paddle ? box : Shape::subtract(Shape::box(middle - half - wall, middle + half + wall), box);
    turning.motion.pivot = middle;
    turning.motion.spin_axis = {0, 0, 1};
    turning.motion.spin = {{{0.0, 0.0}, {1.0, degrees}}, Between::linear};
    s.obstacles.push_back(turning);
    fill(s, paddle ? Shape::box({-1, -1, -1}, {2, 2, 2}) : box);
    return s;
  }
};

// Full, there is nowhere to fall. A pressure that is known but for a constant put half of the walls below what they
// bear, and a cell without a particle, as there is one now and then where walls draw away, was air without pressure:
// for a step all of the water fell, 0.05 to 0.14 m/s of g dt = 0.14 and 0.2, and a gap opened along the ceiling.
TEST(Walls, FullVesselsHaveNowhereToFall) {
  for (const Full& full : {Full{}, Full{true, 180}}) {
    const double dt = full.paddle ? 1.0 / 48 : 1.0 / 72;
    Flow run({}, full.setting());
    double fastest = 0;
    for (int i = 0; i < 1.5 / dt; ++i) {
      run.advance(dt, 1);
      fastest = std::max(fastest, std::abs(run.velocity().y));
    }
    EXPECT_LT(fastest, 0.05 * g * dt) << full.paddle;
  }
}

}  // namespace
}  // namespace silt

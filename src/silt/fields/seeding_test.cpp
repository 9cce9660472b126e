#include "silt/fields/seeding.h"

#include <gtest/gtest.h>

#include <set>

#include "silt/fields/particle_test_tools.h"
#include "silt/fields/seed_places.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);

Vec3d metres(const Domain& d, const Particles& p, std::size_t i) {
  Vec3d x = position(p, i);
  return d.lattice.origin + x * d.lattice.h;
}

// Deep inside, each of a cell's 2^D parts has exactly one particle.
TEST(Seeding, OneParticleInEveryPartOfEveryCell) {
  for (int dims : {2, 3}) {
    const Domain d = unit_domain(12, dims, Side::wall);
    Particles p(d.lattice.active);
    EXPECT_EQ(seed_particles(serial, d, Shape::box({-1, -1, -1}, {2, 2, 2}), {}, p),
              (dims == 2 ? 4u : 8u) * d.cells.count());
    std::set<std::pair<std::uint64_t, int>> parts;
    const TileOrder order(make_layout(d.cells, d.lattice.active));
    const ParticleView view = read(serial, p);
    for (std::size_t i = 0; i < p.count; ++i) {
      ASSERT_TRUE(d.cells.contains(cell_of(p, i)));
      parts.emplace(order.place(cell_of(p, i)), part_of(d.lattice.active, view.offset_at(std::int64_t(i))));
    }
    EXPECT_EQ(parts.size(), p.count);
    EXPECT_EQ(p.born, p.count);
    EXPECT_EQ(p.id.host()[p.count - 1], p.count - 1);
  }
}

// Particles stand for the shape's volume: counting them measures it. Halving h divides the error by about 4 or more.
TEST(Seeding, CountsAreTheVolume) {
  const double volume = 4.0 / 3 * 3.14159265358979 * 0.3 * 0.3 * 0.3;
  for (int n : {16, 32}) {
    const Domain d = unit_domain(n, 3, Side::wall);
    Particles p(d.lattice.active);
    const double count = double(seed_particles(serial, d, Shape::sphere({0.5, 0.52, 0.47}, 0.3), {}, p));
    EXPECT_NEAR(count / (8.0 * n * n * n), volume, 0.01 * volume) << n;
  }
}

// [ZB05]: what would be within a cell of the surface is half a cell below it, and nothing is nearer.
TEST(Seeding, TheOutermostAreHalfACellBelowTheSurface) {
  for (int dims : {2, 3}) {
    const Domain d = unit_domain(20, dims, Side::wall);
    const double h = d.lattice.h;
    const Shape ball = Shape::sphere({0.5, 0.5, dims == 3 ? 0.5 : 0}, 0.33);
    Particles p(d.lattice.active);
    seed_particles(serial, d, ball, {}, p);
    int moved = 0;
    for (std::size_t i = 0; i < p.count; ++i) {
      const double depth = -ball.distance(metres(d, p, i));
      EXPECT_TRUE(std::abs(depth - 0.5 * h) < 1e-5 * h || depth >= h * (1 - 1e-5)) << depth / h;
      moved += depth < 0.6 * h;
    }
    EXPECT_GT(moved, 100);
  }
}

// A pool fills its tank to the walls: only at its top is a surface.
TEST(Seeding, WallsAndSolidsAreNoSurface) {
  const Domain d = unit_domain(16, 2, Side::wall);
  const Shape pool = Shape::box({0, 0, -1}, {1, 0.5, 1}), post = Shape::box({0.4, -1, -1}, {0.6, 0.7, 1});
  Particles p(d.lattice.active);
  seed_particles(serial, d, pool, {.solids = &post}, p);
  int at_wall = 0, at_post = 0;
  for (std::size_t i = 0; i < p.count; ++i) {
    const Vec3d x = metres(d, p, i);
    EXPECT_GT(post.distance(x), 0);
    EXPECT_LE(x.y, 0.5 - 0.5 / 16 + 1e-6);
    at_wall += x.x < 0.25 / 16;
    at_post += post.distance(x) < 0.25 / 16;
  }
  EXPECT_GT(at_wall, 3);
  EXPECT_GT(at_post, 3);
}

// In the corners of a vessel, too, those at the waterline go to where there is half a cell of depth: out of one slope
// after the other. Left where they were, they would fall.
TEST(Seeding, CornersOfVesselsHaveDepth) {
  const Domain domain = test::unit_domain(24, 3, Side::wall);
  const double h = domain.lattice.h;
  for (const double rise : {0.4, 0.6, 1.2}) {
    const auto slope = [&](double x, double y) {
      return Shape::plane({0.5, 0.5, 0.1}, normalized(Vec3d{x * rise, y * rise, 1}));
    };
    const double top = 0.1 + 0.4 * rise;
    SeedOptions options;
    const Shape vessel = Shape::unite(Shape::unite(slope(1, 0), slope(-1, 0)), Shape::unite(slope(0, 1), slope(0, -1)));
    options.solids = &vessel;
    Particles particles(domain.lattice.active);
    seed_particles(serial, domain, Shape::box({-1, -1, -1}, {2, 2, top}), options, particles);
    double highest = 0;
    for (std::size_t i = 0; i < particles.count; ++i)
      highest = std::max(highest, (particles.cell[2].host()[i] + double(particles.offset[2].host()[i])) * h);
    EXPECT_LT(highest, top - 0.45 * h) << rise;
  }
}

TEST(Seeding, ShapesShowThroughPeriodicSides) {
  const Domain d = unit_domain(16, 2, Side::periodic);
  Particles middle(d.lattice.active), corner(d.lattice.active);
  const auto in_middle = seed_particles(serial, d, Shape::sphere({0.5, 0.5, 0}, 0.25), {}, middle);
  const auto in_corner = seed_particles(serial, d, Shape::sphere({0, 0, 0}, 0.25), {}, corner);
  EXPECT_NEAR(double(in_corner), double(in_middle), 0.03 * double(in_middle));
  for (std::size_t i = 0; i < corner.count; ++i) EXPECT_TRUE(d.cells.contains(cell_of(corner, i)));
}

TEST(Seeding, SameForAnyThreads) {
  const Domain d = unit_domain(24, 3, Side::wall);
  const Shape ball = Shape::sphere({0.5, 0.5, 0.5}, 0.4);
  Particles one(d.lattice.active), many(d.lattice.active);
  seed_particles(serial, d, ball, {.seed = 3, .velocity = {1, 2, 3}, .source = 7, .colour = 0x123456}, one);
  seed_particles(Exec(Device::cpu, 3, 0), d, ball, {.seed = 3, .velocity = {1, 2, 3}, .source = 7, .colour = 0x123456},
                 many);
  EXPECT_EQ(all_values(one), all_values(many));
  EXPECT_EQ(one.velocity[1].host()[5], 2.0f);
  EXPECT_EQ(one.source.host()[5], 7u);
  EXPECT_EQ(one.colour.host()[5], 0x123456u);
}

}  // namespace
}  // namespace silt

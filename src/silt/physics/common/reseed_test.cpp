#include "silt/physics/common/reseed.h"

#include <gtest/gtest.h>

#include <set>

#include "silt/fields/particle_test_tools.h"
#include "silt/fields/seeding.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);

/// A block of material with a void and a crowd in its midst, and a nick in its surface.
struct Block {
  Domain domain;
  Layout layout;
  Particles particles;
  CellRanges ranges;
  SortScratch sorting;
  Cell hole, crowd, nick;

  explicit Block(int dims, Modes modes = Modes::affine) : domain(unit_domain(16, dims, Side::wall)) {
    layout = make_layout(domain.cells, domain.lattice.active);
    particles = Particles(domain.lattice.active, modes);
    seed_particles(serial, domain, Shape::box({-1, -1, -1}, {0.75, 2, 2}), {.source = 3, .colour = 5}, particles);
    const int k = dims == 3 ? 7 : 0;
    hole = {5, 6, k}, crowd = {8, 9, k}, nick = {11, 4, k};  // the last row of cells is x = 11
    sort();
    const CellRanges::View view = ranges.read(serial);
    for (Cell c : {hole, nick})
      for (auto i = view.first(c); i < view.last(c); ++i) particles.cell[0].host()[i] = Particles::dead;
    const std::size_t first = append(serial, particles, 20);
    for (std::size_t i = first; i < first + 20; ++i) {
      for (int a = 0; a < dims; ++a) {
        particles.cell[a].host()[i] = crowd[a];
        particles.offset[a].host()[i] = float(random_unit(1, i, std::uint64_t(a)));
      }
      particles.id.host()[i] = particles.born++;
    }
    sort();
  }
  void sort() { sort_particles(serial, domain, layout, particles, ranges, sorting); }
  unsigned count(Cell c) const { return ranges.read(serial).count(c); }
};

TEST(Reseed, EvensOutTheInsideAndLeavesTheSurfaceAlone) {
  for (int dims : {2, 3}) {
    Block block(dims);
    const unsigned share = 1u << dims;
    const auto before = ids(block.particles);
    std::map<int, unsigned> surface;
    for_each(block.domain.cells, [&](Cell c) {
      if (c.x >= 11) surface[block.layout.index(c)] = block.count(c);
    });
    ASSERT_EQ(block.count(block.hole), 0u);
    ASSERT_EQ(block.count(block.crowd), share + 20);
    const auto alive = block.particles.alive();
    const ReseedReport report = reseed_particles(serial, block.domain, block.ranges, {}, block.particles);
    block.sort();
    EXPECT_EQ(report.born, share / 2);
    EXPECT_EQ(report.died, report.born);
    EXPECT_EQ(block.particles.alive(), alive);
    EXPECT_EQ(block.particles.count, block.particles.alive());
    EXPECT_EQ(block.count(block.hole), share / 2);
    EXPECT_EQ(block.count(block.crowd), share + 20 - share / 2);
    for_each(block.domain.cells, [&](Cell c) {
      if (c.x >= 11) {
        EXPECT_EQ(block.count(c), surface[block.layout.index(c)]) << c;
      }
    });
    const auto view = block.ranges.read(serial);
    for (auto i = view.first(block.hole); i < view.last(block.hole); ++i) {
      EXPECT_EQ(block.particles.source.host()[i], 3u);
      EXPECT_EQ(block.particles.colour.host()[i], 5u);
    }
    const auto after = ids(block.particles);
    EXPECT_EQ(std::set<std::uint64_t>(after.begin(), after.end()).size(), after.size());
    EXPECT_EQ(reseed_particles(serial, block.domain, block.ranges, {}, block.particles).born, 0u);  // all is well now
  }
}

// Who is born moves as its neighbours do: a multilinear flow goes on as it was.
TEST(Reseed, TheBornHaveTheFlowRoundThem) {
  Block block(3, Modes::multilinear);
  Particles& p = block.particles;
  const auto flow = [](const Vec3d& x) { return 0.5 + 0.1 * x.x - 0.2 * x.y + 0.3 * x.z + 0.01 * x.x * x.y * x.z; };
  const auto middle = Vec3d{6, 7, 8};
  for (std::size_t i = 0; i < p.count; ++i) {
    const Vec3d x = position(p, i) - middle;
    p.velocity[1].host()[i] = float(flow(x));
    const double mode[8] = {0,
                            0.1 + 0.01 * x.y * x.z,
                            -0.2 + 0.01 * x.x * x.z,
                            0.01 * x.z,
                            0.3 + 0.01 * x.x * x.y,
                            0.01 * x.y,
                            0.01 * x.x,
                            0.01};
    for (int m = 1; m < 8; ++m) p.mode[1][m].host()[i] = float(mode[m]);
  }
  const std::size_t old = p.count;
  const auto report = reseed_particles(serial, block.domain, block.ranges, {}, p);
  ASSERT_EQ(report.born, 4u);
  for (std::size_t i = old; i < p.count; ++i) {
    const Vec3d x = position(p, i) - middle;
    EXPECT_NEAR(p.velocity[1].host()[i], flow(x), 1e-5);
    EXPECT_NEAR(p.mode[1][3].host()[i], 0.01 * x.z, 1e-6);
    EXPECT_NEAR(p.mode[1][1].host()[i], 0.1 + 0.01 * x.y * x.z, 1e-6);
  }
}

TEST(Reseed, SameBitsForAnyThreads) {
  Block one(3), many(3);
  reseed_particles(serial, one.domain, one.ranges, {.least = 8, .most = 9, .seed = 4, .step = 2}, one.particles);
  reseed_particles(Exec(Device::cpu, 3, 0), many.domain, many.ranges, {.least = 8, .most = 9, .seed = 4, .step = 2},
                   many.particles);
  EXPECT_EQ(all_values(one.particles), all_values(many.particles));
}

/// The block with the particles of its crowd in one point, in a flow that varies.
TEST(Reseed, ClumpsAreScatteredWithinTheirCell) {
  for (int dims : {2, 3}) {
    Block block(dims);
    const Vec3f slope{2, -1, 3};
    const CellRanges::View view = block.ranges.read(serial);
    const auto first = view.first(block.crowd), last = view.last(block.crowd);
    for (auto i = first; i < last; ++i)
      for (int a = 0; a < dims; ++a) {
        block.particles.offset[a].host()[i] = 0.75f;
        block.particles.velocity[a].host()[i] = 0.75f * slope[a];
        block.particles.mode[a][1 << a].host()[i] = slope[a];
      }
    const auto before = ids(block.particles);
    scatter_crowds(serial, block.domain, block.ranges, {}, block.particles);
    Vec3d low{1, 1, 1}, high{0, 0, 0};
    for (auto i = first; i < last; ++i)
      for (int a = 0; a < dims; ++a) {
        const float f = std::as_const(block.particles.offset[a]).host()[i];
        EXPECT_NEAR(std::as_const(block.particles.velocity[a]).host()[i], f * slope[a], 1e-5);
        low[a] = std::min(low[a], double(f)), high[a] = std::max(high[a], double(f));
      }
    for (int a = 0; a < dims; ++a) EXPECT_TRUE(low[a] >= 0 && low[a] < 0.25 && high[a] > 0.75 && high[a] < 1);
    EXPECT_EQ(ids(block.particles), before);
    block.sort();
    EXPECT_EQ(block.count(block.crowd), (1u << dims) + 20);
  }
}

}  // namespace
}  // namespace silt

#include "silt/physics/common/seed_fills.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "silt/fields/particle_test_tools.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);

/// How many particles each cell has, by its number.
std::map<int, int> by_cell(const Domain& domain, const Particles& particles) {
  const ParticleView view = read(serial, particles);
  std::map<int, int> out;
  for (std::size_t i = 0; i < particles.count; ++i) {
    const Cell c = view.cell_at(std::int64_t(i)) - domain.cells.lo;
    ++out[(c.z * 64 + c.y) * 64 + c.x];
  }
  return out;
}

// Three fills over one another, one larger than the domain, and a block in them: every free cell has its share once.
TEST(SeedFills, WhereTheyOverlapThereIsOneOfThem) {
  for (const int dims : {2, 3}) {
    Setting setting;
    setting.domain = unit_domain(16, dims, Side::wall);
    const double far = dims == 3 ? 2 : 1;
    const auto fill = [&](const Vec3d& low, const Vec3d& high) {
      Fill out;
      out.name = "fill";
      out.shape = Shape::box(low, high);
      setting.fills.push_back(out);
    };
    fill({-1, -1, -far}, {2, 0.5, far});
    fill({0.25, 0.25, -far}, {0.75, 0.75, far});
    fill({0.5, 0, -far}, {1, 0.75, far});
    setting.obstacles.push_back({"block", Shape::box({0.375, 0.125, -far}, {0.625, 0.625, far}), {}});
    const Particles particles = seed_fills(serial, setting, Modes::affine);
    const int share = 1 << dims, deep = dims == 3 ? 16 : 1;
    // Lower half 16 x 8; above it 4 x 4 and 8 x 4; without the block, 4 x 8, all of it in what is filled.
    const int cells = (16 * 8 + 4 * 4 + 8 * 4 - 4 * 8) * deep;
    EXPECT_EQ(particles.count, std::size_t(cells * share));
    const std::map<int, int> counts = by_cell(setting.domain, particles);
    EXPECT_EQ(counts.size(), std::size_t(cells));
    for (const auto& [cell, n] : counts) EXPECT_EQ(n, share);
  }
}

}  // namespace
}  // namespace silt

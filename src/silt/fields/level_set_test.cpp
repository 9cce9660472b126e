#include "silt/fields/level_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "silt/fields/cut_cells.h"
#include "silt/fields/plane_fraction.h"
#include "silt/fields/test_tools.h"

namespace silt {
namespace {

using test::for_each;

constexpr double pi = 3.14159265358979323846;
const Exec serial(Device::cpu, 1);

template <class Distance>
Field<float> sampled(const Domain& domain, const Distance& distance) {
  Field<float> phi(make_layout(domain.cells, domain.lattice.active));
  for_each(domain.cells, [&](Cell c) { phi.at(c) = float(distance(domain.lattice.centre(c))); });
  fill_level_set_halo(serial, domain, phi);
  return phi;
}

// Against counting points, for planes in every position: the five pieces of the cubic and their mirror images.
TEST(PlaneFraction, IsThePartBelow) {
  constexpr int n = 40;
  for (int seed = 0; seed < 300; ++seed) {
    const auto unit_random = [&](int k) { return 2 * random_unit(3, std::uint64_t(seed), std::uint64_t(k)) - 1; };
    const int flat = seed % 3;  // 0: none
    const Vec3d slope{unit_random(0), flat == 2 ? 0 : unit_random(1), flat >= 1 ? 0 : unit_random(2)};
    const double value = 0.8 * unit_random(3);
    int below = 0;
    for_each({{0, 0, 0}, {n, n, n}}, [&](Cell c) {
      const Vec3d x = (c.as<double>() + Vec3d{0.5, 0.5, 0.5}) / n - Vec3d{0.5, 0.5, 0.5};
      below += value + dot(slope, x) < 0;
    });
    EXPECT_NEAR(fraction_below(value, slope), below / double(n * n * n), 1.6 / n) << value << ' ' << slope;
    EXPECT_NEAR(fraction_below(value, slope) + fraction_below(-value, slope), 1, 1e-12);
  }
}

TEST(PlaneFraction, LimitsAndNearlyFlatSlopes) {
  EXPECT_EQ(fraction_below(-1e-9, {}), 1);
  EXPECT_EQ(fraction_below(0, {}), 0);
  EXPECT_NEAR(fraction_below(0.2, {1, 0, 0}), 0.3, 1e-15);
  EXPECT_NEAR(fraction_below(0.2, {0, -5, 0}), 0.46, 1e-15);
  EXPECT_NEAR(fraction_below(0, {1, 1e-7, 1e-9}), 0.5, 1e-7);
  for (double small : {1e-3, 1e-6, 1e-7, 1e-9, 1e-12})
    for (double value : {-0.4999, -0.3, 0.0, 0.1, 0.25, 0.4})
      EXPECT_NEAR(fraction_below(value, {1, small, 0.3 * small}), 0.5 - value, 2 * small + 1e-9)
          << small << ' ' << value;
}

// A slanted plane through a box cuts off what geometry says, at every offset: exact.
TEST(LevelSetVolume, IsExactForPlanes) {
  for (int dims : {1, 2, 3})
    for (double offset : {0.31, 0.4, 0.437, 0.5, 0.61}) {
      Domain domain = test::unit_domain(16, dims == 1 ? 2 : dims, Side::wall);
      if (dims == 1) domain.lattice.active = {1, 0, 0}, domain.cells.hi.y = 1;
      // y = offset + slopes, which stays inside the box: the mean height is the volume.
      const Vec3d slope{dims > 1 ? 0.3 : 0, 0, dims > 2 ? -0.2 : 0};
      const int up = dims == 1 ? 0 : 1;
      const Field<float> phi = sampled(domain, [&](Vec3d x) {
        return x[up] - offset - (dims > 1 ? slope.x * (x.x - 0.5) : 0) - (dims > 2 ? slope.z * (x.z - 0.5) : 0);
      });
      EXPECT_NEAR(level_set_volume(serial, domain, phi), offset, 1e-6) << dims << "D " << offset;
    }
}

TEST(LevelSetVolume, OfABallConvergesFast) {
  double before = 0;
  for (int n : {16, 32, 64}) {  // radius 5, 10 and 20 cells
    const Domain domain = test::unit_domain(n, 3, Side::wall);
    double worst = 0;
    for (int shift = 0; shift < 4; ++shift) {
      const Vec3d centre = Vec3d{0.5, 0.5, 0.5} + Vec3d{0.21, 0.43, 0.08} * (shift / double(n));
      const Field<float> phi = sampled(domain, [&](Vec3d x) { return length(x - centre) - 0.3125; });
      const double exact = 4.0 / 3 * pi * std::pow(0.3125, 3);
      worst = std::max(worst, std::abs(level_set_volume(serial, domain, phi) / exact - 1));
    }
    RecordProperty("error" + std::to_string(n), std::to_string(worst));
    EXPECT_LT(worst, n == 16 ? 1e-3 : n == 32 ? 1.5e-4 : 2e-5) << n;
    if (before > 0) {
      EXPECT_LT(worst, 0.2 * before) << n;
    }
    before = worst;
  }
}

TEST(LevelSetVolume, OfADiscInAPlaneAndACircleOnTheSeam) {
  Domain domain = test::unit_domain(64, 2, Side::periodic);
  for (double x0 : {0.5, 0.003}) {
    const Field<float> phi = sampled(domain, [&](Vec3d x) {
      const double dx = std::remainder(x.x - x0, 1.0);
      return std::hypot(dx, x.y - 0.5) - 0.3;
    });
    EXPECT_NEAR(level_set_volume(serial, domain, phi), pi * 0.09, 1e-5) << x0;
  }
}

// A lake with a ball half in it is the less by what of the ball is under water; where all is water, by the ball. To
// h^2 / 2 R^2 of the ball: solids count by the mean of a cell's corners.
TEST(LevelSetVolume, WithoutWhatIsInSolids) {
  for (double height : {0.5, 0.83}) {
    const Domain domain = test::unit_domain(40, 3, Side::wall);
    const Field<float> phi = sampled(domain, [&](Vec3d x) { return x.z - height; });
    CutCells cut(phi.layout());
    cut_cells(serial, domain, {{Shape::sphere({0.51, 0.47, 0.5}, 0.3), {}, true}}, cut);
    const double ball = 4.0 / 3 * pi * 0.027;
    const double expected = height - (height > 0.8 ? ball : 0.5 * ball);
    EXPECT_NEAR(level_set_volume(serial, domain, phi, &cut.distance), expected, 0.005 * ball) << height;
  }
}

// Every cell within reach of the surface is in a tile of the list, across periodic sides too; far ones are not.
TEST(TilesNearSurface, HoldTheBand) {
  for (const Side side : {Side::wall, Side::periodic}) {
    const Domain domain = test::unit_domain(64, 2, side);
    const auto distance = [&](Vec3d x) {
      const double dx = side == Side::periodic ? std::remainder(x.x - 0.05, 1.0) : x.x - 0.05;
      return std::hypot(dx, x.y - 0.4) - 0.1;
    };
    const Field<float> phi = sampled(domain, distance);
    const int reach = 5;
    const Region near = tiles_near_surface(serial, domain, phi, reach);
    std::set<std::pair<int, int>> tiles;
    for (std::size_t t = 0; t < near.tiles().size(); ++t)
      tiles.insert({near.tiles().host()[t].x, near.tiles().host()[t].y});
    for_each(domain.cells, [&](Cell c) {
      EXPECT_TRUE(std::abs(phi(c)) > reach * domain.lattice.h || tiles.count({c.x / 8, c.y / 8})) << c;
    });
    EXPECT_LT(tiles.size(), 40u);
    EXPECT_EQ(near.box(), domain.cells);
  }
}

}  // namespace
}  // namespace silt

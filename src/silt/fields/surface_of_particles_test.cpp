#include "silt/fields/surface_of_particles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "silt/fields/particle_test_tools.h"
#include "silt/fields/redistance.h"
#include "silt/fields/seeding.h"

namespace silt {
namespace {

using test::for_each;

constexpr double pi = 3.14159265358979323846;
const Exec serial(Device::cpu, 1);
constexpr double endless = std::numeric_limits<double>::infinity();

struct Rig {
  Domain domain;
  Particles particles;
  CellRanges ranges;

  Rig(int n, int dims, Side side) : domain(test::unit_domain(n, dims, side)), particles(domain.lattice.active) {}
  Layout layout() const { return make_layout(domain.cells, domain.lattice.active); }
  void add(Vec3d x) {  // in cells
    const std::size_t i = append(serial, particles, 1);
    for (int a = 0; a < 3; ++a) {
      if (!domain.lattice.active[a]) continue;
      particles.cell[a].host()[i] = int(std::floor(x[a]));
      particles.offset[a].host()[i] = float(x[a] - std::floor(x[a]));
    }
    particles.id.host()[i] = particles.born++;
  }
  Field<float> surface(const SurfaceOptions& options = {}, const Exec& exec = serial) {
    SortScratch scratch;
    sort_particles(exec, domain, layout(), particles, ranges, scratch);
    Field<float> phi(layout());
    surface_of_particles(exec, domain, particles, ranges, options, phi);
    return phi;
  }
};

// A particle by itself is a ball, exactly, wherever it lies in its cell. phi is nowhere more than where nothing is in
// reach: were it, an edge from a surface to there would be cut elsewhere, by a particle 1.49 cells away or by none.
TEST(SurfaceOfParticles, OneParticleIsABall) {
  for (int dims : {2, 3})
    for (int i = 0; i < 5; ++i) {
      Rig rig(10, dims, Side::wall);
      const Vec3d x{4 + 0.19 * i, 5.3 - 0.2 * i, dims == 3 ? 4.7 + 0.13 * i : 0.5};
      rig.add(x);
      const Field<float> phi = rig.surface({.radius = 0.7, .alone = 0.6, .reach = 1.4, .slack = endless});
      for_each(rig.domain.cells, [&](Cell c) {
        const double far = length(c.as<double>() + Vec3d{0.5, 0.5, 0.5} - x);
        EXPECT_NEAR(phi(c) * 10, std::min(far - 0.6, 0.7), 1e-5) << c;
      });
    }
}

// Seeded liquid has the surface that it was seeded with: on average, to a hundredth of a cell; each place, to a few.
TEST(SurfaceOfParticles, SeededShapesComeBack) {
  constexpr int n = 32;
  for (int dims : {2, 3})
    for (const bool ball : {false, true}) {
      double bias = 0, square = 0, volume = 0, expected = 0;
      int count = 0;
      for (int i = 0; i < 4; ++i) {
        Rig rig(n, dims, Side::wall);
        const double height = 0.5 + 0.23 * i / n, h = rig.domain.lattice.h;
        const Vec3d centre{0.5 + 0.3 * i / n, 0.49, dims == 3 ? 0.5 : 0};
        const Shape shape = ball ? Shape::sphere(centre, 0.3) : Shape::box({-1, -1, -1}, {2, height, 2});
        seed_particles(serial, rig.domain, shape, {.seed = std::uint64_t(i)}, rig.particles);
        Field<float> phi = rig.surface();
        Redistance(phi.layout()).run(serial, rig.domain, 3, phi);
        volume += level_set_volume(serial, rig.domain, phi);
        expected += !ball ? height : dims == 2 ? pi * 0.09 : 4.0 / 3 * pi * 0.027;
        for_each(rig.domain.cells, [&](Cell c) {
          const Vec3d x = rig.domain.lattice.centre(c);
          const double d = ball ? length(x - centre) - 0.3 : x.y - height;
          if (std::abs(d) > h) return;
          const double error = (phi(c) - d) / h;
          bias += error, square += error * error, ++count;
        });
      }
      EXPECT_NEAR(bias / count, 0, 0.02) << dims << "D " << ball;
      EXPECT_LT(std::sqrt(square / count), 0.08) << dims << "D " << ball;
      EXPECT_NEAR(volume / expected, 1, 0.006) << dims << "D " << ball;
    }
}

// A flat fill has a flat surface, wherever it lies in its cell: waves that are there at first do not end.
TEST(SurfaceOfParticles, FlatFillsAreFlat) {
  constexpr int n = 32;
  for (int dims : {2, 3})
    for (int i = 0; i < 5; ++i) {
      Rig rig(n, dims, Side::wall);
      const double height = 8 + 0.2 * i;  // cells
      seed_particles(serial, rig.domain, Shape::box({-1, -1, -1}, {2, height / n, 2}), {}, rig.particles);
      const Field<float> phi = rig.surface();
      double sum = 0, squares = 0;
      int columns = 0;
      for_each(rig.domain.cells, [&](Cell c) {
        const Cell above = c + unit(1);
        if (!(phi(c) < 0 && c.y < n - 1 && phi(above) >= 0)) return;
        const double top = c.y + 0.5 + phi(c) / (phi(c) - phi(above));
        sum += top, squares += top * top, ++columns;
      });
      ASSERT_EQ(columns, dims == 3 ? n * n : n);
      const double mean = sum / columns;
      EXPECT_LT(std::sqrt(std::max(0.0, squares / columns - mean * mean)), 0.02) << dims << "D " << i;
    }
}

// Between two walls of particles two and a half cells apart there is nothing; yet the mean of places lies in the gap,
// and without the correction so does a sheet of liquid.
TEST(SurfaceOfParticles, NoBlobsInHollows) {
  const auto gap = [](bool concave) {
    Rig rig(16, 2, Side::wall);
    for (int i = 0; i < 32; ++i)
      for (int j = 0; j < 32; ++j) {
        const Vec3d x{0.25 + 0.5 * i, 0.25 + 0.5 * j, 0.5};
        if (std::abs(x.x - 8.5) > 1) rig.add(x);  // about a row of centres
      }
    return rig.surface({.radius = 0.5, .alone = 0.5, .reach = 1.5, .concave = concave, .slack = endless})(
               Cell{8, 8, 0}) *
           16;
  };
  EXPECT_LT(gap(false), -0.4);
  EXPECT_GE(gap(true), 0);
}

// Spray is as much liquid as it has come together, not all of the room between its drops.
TEST(SurfaceOfParticles, SprayIsNoLiquid) {
  constexpr int n = 16;
  for (int dims : {2, 3}) {
    const std::size_t cells = dims == 3 ? n * n * n : n * n, full = cells << dims;
    const auto volume = [&](double part, double slack) {
      Rig rig(n, dims, Side::periodic);
      rig.particles = test::random_particles(serial, rig.domain, std::size_t(part * double(full)), 5);
      Field<float> phi = rig.surface({.slack = slack});
      fill_level_set_halo(serial, rig.domain, phi);
      return level_set_volume(serial, rig.domain, phi);
    };
    EXPECT_GT(volume(0.3, endless), 0.75) << dims;
    EXPECT_LT(volume(0.3, 0.12), dims == 3 ? 0.2 : 0.45) << dims;
    EXPECT_GT(volume(0.8, 0.12), 0.8) << dims;
  }
}

// Mirrored at walls and wrapped round periodic sides: a flat layer is as flat beside them as elsewhere.
TEST(SurfaceOfParticles, SidesDoNotBendALayer) {
  for (const Side side : {Side::wall, Side::open, Side::periodic}) {
    Rig rig(16, 3, side);
    for_each({{0, 0, 0}, {32, 32, 16}}, [&](Cell c) { rig.add((c.as<double>() + Vec3d{0.5, 0.5, 0.5}) * 0.5); });
    rig.domain.sides[2] = {Side::wall, Side::wall};
    const Field<float> phi = rig.surface();
    for_each({{0, 0, 1}, {16, 16, 11}}, [&](Cell c) { EXPECT_NEAR(phi(c), phi(Cell{8, 8, c.z}), 1e-6) << c; });
    EXPECT_LT(phi(Cell{0, 0, 7}), 0);
    EXPECT_GT(phi(Cell{0, 0, 8}), 0);
    EXPECT_LT(phi(Cell{3, 0, 0}), 0);
  }
}

TEST(SurfaceOfParticles, NoneAtAll) {
  Rig rig(8, 3, Side::wall);
  const Field<float> phi = rig.surface();
  for_each(rig.domain.cells, [&](Cell c) { EXPECT_GT(phi(c), 0) << c; });
}

TEST(SurfaceOfParticles, SameBitsForAnyThreadCount) {
  Rig one(16, 3, Side::periodic), other(16, 3, Side::periodic);
  one.particles = test::random_particles(serial, one.domain, 4000, 3);
  other.particles = one.particles;
  const Field<float> a = one.surface(), b = other.surface({}, Exec(Device::cpu, 3, 1));
  for_each(one.domain.cells, [&](Cell c) { ASSERT_EQ(a(c), b(c)) << c; });
}

}  // namespace
}  // namespace silt

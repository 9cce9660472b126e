#include "silt/physics/common/sweep_solids.h"

#include <gtest/gtest.h>

#include "silt/fields/particle_test_tools.h"
#include "silt/physics/common/push_out.h"

namespace silt {
namespace {

using namespace test;

const Exec serial(Device::cpu, 1);
constexpr int n = 24;  // cells a metre

Obstacle plate(const Vec3d& through, const Vec3d& normal, double cells) {
  const Vec3d half = normalized(normal) * (0.5 * cells / n);
  return {
      "plate", Shape::intersect(Shape::plane(through + half, normal), Shape::plane(through - half, normal * -1.0)), {}};
}

void put(Particles& p, std::size_t i, const Vec3d& x) {
  for (int a = 0; a < 3; ++a) {
    if (!p.offset[a].size()) continue;
    p.cell[a].host()[i] = 0;
    split(float(x[a] * n), p.cell[a].host()[i], p.offset[a].host()[i]);
  }
}

/// How many of a thousand particles in the wedge before two plates end up behind one of them, when all move by so many
/// cells towards where these meet.
int behind_a_corner(const Domain& domain, const Obstacle& left, const Obstacle& right, double cells) {
  Particles p(domain.lattice.active);
  append(serial, p, 1000);
  std::vector<Vec3d> before;
  for (std::size_t i = 0; i < p.count; ++i) {
    const Vec3d x{0.35 + 0.3 * random_unit(1, i, 0), 0.45 + 0.1 * random_unit(1, i, 1), 0};
    before.push_back(x), put(p, i, x);
  }
  SweepSolids sweep(domain, {left, right});
  EXPECT_FALSE(sweep.empty());
  sweep.remember(p);
  for (std::size_t i = 0; i < p.count; ++i) {
    const double way = cells / n;
    put(p, i, before[i] + Vec3d{way * (random_unit(1, i, 2) - 0.5), -way, 0});
  }
  sweep.stop(serial, domain, 0, 0.01, p);
  int out = 0;
  for (std::size_t i = 0; i < p.count; ++i) {
    const Vec3d x = position(p, i) / double(n);
    out += left.shape.distance(x) < -1e-3 / n || right.shape.distance(x) < -1e-3 / n || x.y < 0.1;
  }
  return out;
}

// What slides along one plate must not come out behind the other.
TEST(SweepSolids, NothingSlipsThroughWhereTwoPlatesMeet) {
  const Domain domain = unit_domain(n, 2, Side::wall);
  for (const double slope : {0.6, 1.0, 2.0})
    for (const double cells : {2.0, 4.0, 8.0})
      EXPECT_EQ(behind_a_corner(domain, plate({0.5, 0.3, 0}, {slope, 1, 0}, 1), plate({0.5, 0.3, 0}, {-slope, 1, 0}, 1),
                                cells),
                0)
          << slope << ", " << cells;
}

// More than half through a solid, the nearest way out of it is on the other side.
TEST(SweepSolids, WhatGoesDeepIntoAThickSolidStaysOnItsSide) {
  const Domain domain = unit_domain(n, 2, Side::wall);
  const Layout layout = make_layout(domain.cells, domain.lattice.active);
  for (const double cells : {3.2, 5.0})
    for (const double slope : {0.0, 0.5}) {
      const Vec3d normal = normalized(Vec3d{slope, 1, 0}), middle{0.5, 0.5, 0};
      const Obstacle thick = plate(middle, normal, cells);
      CutCells cut(layout);
      cut_cells(serial, domain, {place(thick, 0)}, cut);
      Particles p(domain.lattice.active);
      append(serial, p, 500);
      std::vector<Vec3d> before;
      for (std::size_t i = 0; i < p.count; ++i) {
        const double along = 0.4 * (random_unit(1, i, 0) - 0.5), above = 0.5 * cells + 0.5 * random_unit(1, i, 1);
        before.push_back(middle + Vec3d{normal.y, -normal.x, 0} * along + normal * (above / n));
        put(p, i, before[i]);
      }
      SweepSolids sweep(domain, {thick});
      EXPECT_TRUE(sweep.empty()) << "it is not thin";
      EXPECT_TRUE(sweep.may_go_deep(2, 0));
      sweep.remember(p);
      for (std::size_t i = 0; i < p.count; ++i)  // to anywhere in it, and beyond
        put(p, i, before[i] - normal * (1.3 * cells * random_unit(1, i, 2) / n));
      sweep.stop_deep(serial, domain, 0, 0.01, &cut.distance, p);
      push_out(serial, domain, cut.distance, p);
      for (std::size_t i = 0; i < p.count; ++i)
        EXPECT_GT(dot(position(p, i) / double(n) - middle, normal), 0.49 * cells / n) << cells << ' ' << slope;
    }
}

// A blade that comes in later, and a cup so large that its walls lie between the corners of a coarse look.
TEST(SweepSolids, ThinSolidsAreFoundWhereverTheyAreAndHoweverLarge) {
  const Domain domain = unit_domain(n, 3, Side::open);
  const double h = 1.0 / n;
  EXPECT_FALSE(SweepSolids(domain, {{"blade", Shape::box({2, 0.2, 0.2}, {2 + h, 0.8, 0.8}), {}}}).empty());
  const Domain fine = unit_domain(96, 3, Side::open);
  const double f = 1.0 / 96;
  const auto cup = [&](double at, double wall) {
    return Shape::subtract(Shape::box(Vec3d{at, at, at}, Vec3d{at, at, at} + Vec3d{0.8, 0.8, 0.8}),
                           Shape::box(Vec3d{at, at, at} + Vec3d{wall, wall, wall},
                                      Vec3d{at, at, at} + Vec3d{0.8 - wall, 0.8 - wall, 0.8 - wall}));
  };
  for (const double at : {0.1, 0.1 + 0.3 * f, 0.1 + 0.6 * f})
    EXPECT_FALSE(SweepSolids(fine, {{"cup", cup(at, f), {}}}).empty()) << at;
  EXPECT_TRUE(SweepSolids(fine, {{"thick", cup(0.1, 6 * f), {}}}).empty());
  EXPECT_TRUE(SweepSolids(fine, {{"ball", Shape::sphere({0.5, 0.5, 0.5}, 0.3), {}}}).empty());
}

}  // namespace
}  // namespace silt

#include "silt/fields/redistance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "silt/fields/test_tools.h"

namespace silt {
namespace {

using test::for_each;
using Function = std::function<double(Vec3d)>;

const Exec serial(Device::cpu, 1);
constexpr int band = 4;

Field<float> sampled(const Domain& domain, const Function& f) {
  Field<float> phi(make_layout(domain.cells, domain.lattice.active));
  for_each(domain.cells, [&](Cell c) { phi.at(c) = float(f(domain.lattice.centre(c))); });
  return phi;
}

Field<float> redistanced(const Domain& domain, Field<float> phi, const Exec& exec = serial) {
  Redistance(phi.layout()).run(exec, domain, band, phi);
  return phi;
}

/// Steep here, shallow there, and never zero by itself.
double distortion(Vec3d x) {
  return 1.7 + std::sin(5 * x.x + 1) * std::cos(4 * x.y) * std::cos(3 * x.z);
}

struct Errors {
  double beside = 0, in_band = 0;  ///< [cells]: where the surface passes; in the whole band
};

/// Whether the nearest point of the surface lies in the domain: one that lies in a wall is not there.
bool inside(const Domain& domain, Vec3d x, const Function& distance) {
  const double e = 1e-6, d = distance(x);
  for (int a = 0; a < 3; ++a) {
    if (!domain.lattice.active[a] || domain.periodic(a)) continue;
    Vec3d step;
    step[a] = e;
    const double foot = x[a] - d * (distance(x + step) - distance(x - step)) / (2 * e);
    if (foot < domain.lower()[a] || foot > domain.upper()[a]) return false;
  }
  return true;
}

/// Whether the surface passes between the cell and a neighbour.
bool cut(const Domain& domain, Cell c, const Function& distance) {
  bool out = false;
  for (int a = 0; a < 3; ++a)
    for (int side : {-1, 1}) {
      const Cell n = c + unit(a) * side;
      if (domain.cells.contains(n))
        out = out || (distance(domain.lattice.centre(n)) < 0) != (distance(domain.lattice.centre(c)) < 0);
    }
  return out;
}

Errors errors(const Domain& domain, const Field<float>& phi, const Function& distance) {
  Errors worst;
  const double h = domain.lattice.h;
  for_each(domain.cells, [&](Cell c) {
    const double d = distance(domain.lattice.centre(c)), error = std::abs(phi(c) - d) / h;
    EXPECT_EQ(phi(c) < 0, d < 0) << c;
    if (cut(domain, c, distance)) worst.beside = std::max(worst.beside, error);
    if (std::abs(d) < (band - 0.1) * h && inside(domain, domain.lattice.centre(c), distance))
      worst.in_band = std::max(worst.in_band, error);
    if (std::abs(d) > (band + 0.1) * h) {
      EXPECT_NEAR(std::abs(phi(c)), band * h, 1e-6) << c;
    }
  });
  return worst;
}

// Planes in every position come out exact, walls or not.
TEST(Redistance, PlanesAreExact) {
  for (int dims : {1, 2, 3})
    for (double offset : {0.3, 0.4003, 0.433, 0.5, 0.57, 0.62499}) {
      Domain domain = test::unit_domain(24, dims == 1 ? 2 : dims, Side::wall);
      if (dims == 1) domain.lattice.active = {1, 0, 0}, domain.cells.hi.y = 1;
      const Vec3d normal = normalized(Vec3d{0.9, dims > 1 ? 0.5 : 0, dims > 2 ? -0.35 : 0});
      const Function distance = [&](Vec3d x) {
        return dot(normal, x - Vec3d{offset, dims > 1 ? 0.5 : x.y, dims > 2 ? 0.5 : x.z});
      };
      const Errors e =
          errors(domain, redistanced(domain, sampled(domain, [&](Vec3d x) { return 3.7 * distance(x); })), distance);
      EXPECT_LT(e.beside, 1e-4) << dims << "D " << offset;
      EXPECT_LT(e.in_band, 1e-4) << dims << "D " << offset;
    }
}

// Balls of a radius of 10 cells and more at any offset, from a level set that is far from a distance: they stay within
// a hundredth of a cell, all through the band, and less as they are larger.
TEST(Redistance, BallsKeepTheirSurface) {
  for (int dims : {2, 3})
    for (int shift = 0; shift < 4; ++shift) {
      Errors before;
      for (int n : {16, 32, 64}) {
        if (dims == 3 && n == 64 && shift > 0) continue;
        const Domain domain = test::unit_domain(n, dims, Side::wall);
        const Vec3d centre = Vec3d{0.5, 0.5, dims == 3 ? 0.5 : 0} + Vec3d{0.31, 0.13, 0.0} * (shift / 32.0);
        const Function distance = [&](Vec3d x) { return length(x - centre) - 0.3; };
        const Field<float> phi =
            redistanced(domain, sampled(domain, [&](Vec3d x) { return distortion(x) * distance(x); }));
        const Errors e = errors(domain, phi, distance);
        RecordProperty("error" + std::to_string(n), std::to_string(e.in_band));
        if (n >= 32) {
          EXPECT_LT(e.beside, 0.01) << dims << "D shift " << shift;
          EXPECT_LT(e.in_band, n == 32 ? 0.01 : 0.003) << dims << "D shift " << shift;
          EXPECT_LT(e.in_band, 0.5 * before.in_band);  // in cells: one power less
        }
        before = e;
      }
    }
}

// Again and again: what is a distance already stays what it is. The surface creeps by 5e-4 cells a time.
TEST(Redistance, DoesNotDrift) {
  const Domain domain = test::unit_domain(32, 2, Side::wall);
  const Function distance = [&](Vec3d x) { return length(x - Vec3d{0.47, 0.52, 0}) - 0.3; };
  Field<float> phi = sampled(domain, distance);
  Redistance redistance(phi.layout());
  for (int i = 0; i < 10; ++i) redistance.run(serial, domain, band, phi);
  const Errors e = errors(domain, phi, distance);
  RecordProperty("drift", std::to_string(e.beside));
  EXPECT_LT(e.beside, 0.01);
  EXPECT_LT(e.in_band, 0.01);
}

// A surface that a wall cuts is not bent by it.
TEST(Redistance, BallsCutByWalls) {
  const Domain domain = test::unit_domain(32, 3, Side::wall);
  const Vec3d centre{0.1, 0.05, 0.45};
  const Function distance = [&](Vec3d x) { return length(x - centre) - 0.35; };
  const Field<float> phi = redistanced(domain, sampled(domain, [&](Vec3d x) { return distortion(x) * distance(x); }));
  const double h = domain.lattice.h;
  for_each(domain.cells, [&](Cell c) {
    const Vec3d x = domain.lattice.centre(c);
    const double d = distance(x);
    const Vec3d foot = x - normalized(x - centre) * d;  // in the domain, or it is not the nearest point
    if (std::abs(d) > (band - 0.1) * h || std::min({foot.x, foot.y, foot.z}) < 0) return;
    EXPECT_NEAR(phi(c), d, 0.03 * h) << c;
  });
}

// A ball on the seam of a periodic box is one in its middle.
TEST(Redistance, CrossesPeriodicSides) {
  const Domain domain = test::unit_domain(32, 3, Side::periodic);
  const Function distance = [](Vec3d x) {
    return length(Vec3d{std::remainder(x.x - 0.02, 1.0), std::remainder(x.y - 0.97, 1.0), std::remainder(x.z, 1.0)}) -
           0.3;
  };
  const Errors e = errors(domain, redistanced(domain, sampled(domain, distance)), distance);
  EXPECT_LT(e.beside, 0.01);
  EXPECT_LT(e.in_band, 0.02);
}

// Two planes a few cells apart: between them the nearer one counts, on either side of the ridge.
TEST(Redistance, TakesTheNearerOfTwoSurfaces) {
  const Domain domain = test::unit_domain(32, 2, Side::wall);
  const Function distance = [](Vec3d x) { return std::abs(x.y - 0.5131) - 0.0712; };
  const Errors e =
      errors(domain, redistanced(domain, sampled(domain, [&](Vec3d x) { return 2.3 * distance(x); })), distance);
  EXPECT_LT(e.in_band, 1e-3);
}

// What is less than a cell wide, and noise: signs stay, no distance is longer than to the crossing of an edge, and
// nothing is NaN.
TEST(Redistance, TheUnresolvedKeepsItsSign) {
  for (int dims : {1, 2, 3}) {
    Domain domain = test::unit_domain(20, dims == 1 ? 2 : dims, Side::wall);
    if (dims == 1) domain.lattice.active = {1, 0, 0}, domain.cells.hi.y = 1;
    Field<float> phi(make_layout(domain.cells, domain.lattice.active));
    for_each(domain.cells, [&](Cell c) { phi.at(c) = float(test::noise(4, c)); });
    phi.at(domain.cells.lo) = 0;
    const Field<float> out = redistanced(domain, phi);
    const double h = domain.lattice.h;
    for_each(domain.cells, [&](Cell c) {
      EXPECT_EQ(out(c) < 0, phi(c) < 0) << c;
      EXPECT_LE(std::abs(out(c)), band * h * 1.0001) << c;
      for (int a = 0; a < 3; ++a)
        for (int side : {-1, 1}) {
          const Cell n = c + unit(a) * side;
          const bool cut = domain.cells.contains(n) && (phi(c) < 0) != (phi(n) < 0);
          EXPECT_LE(std::abs(out(c)), cut ? 1.5001 * h : 1e9) << c;
        }
    });
  }
}

TEST(Redistance, NoSurfaceAtAll) {
  const Domain domain = test::unit_domain(12, 3, Side::wall);
  const Field<float> phi = redistanced(domain, sampled(domain, [](Vec3d) { return -0.001; }));
  for_each(domain.cells, [&](Cell c) { EXPECT_EQ(phi(c), float(-band / 12.0)) << c; });
}

TEST(Redistance, SameBitsForAnyThreadCountAndPadding) {
  const Domain domain = test::unit_domain(40, 3, Side::periodic);
  const auto noisy = [&](const Layout& layout) {
    Field<float> phi(layout);
    for_each(domain.cells, [&](Cell c) {
      phi.at(c) = float(length(domain.lattice.centre(c) - Vec3d{0.4, 0.4, 0.4}) - 0.3 + 0.01 * test::noise(3, c));
    });
    return phi;
  };
  const Field<float> one = redistanced(domain, noisy(make_layout(domain.cells, {1, 1, 1})));
  for (int threads : {2, 5}) {
    const Field<float> other = redistanced(domain, noisy(make_layout(domain.cells, {1, 1, 1}, default_halo, 16)),
                                           Exec(Device::cpu, threads, 1));
    for_each(domain.cells, [&](Cell c) { ASSERT_EQ(one(c), other(c)) << c; });
  }
}

}  // namespace
}  // namespace silt

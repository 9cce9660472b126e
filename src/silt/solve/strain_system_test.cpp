#include "silt/solve/strain_system.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "silt/solve/sample_strain.h"

namespace silt {
namespace {

using namespace test;

/// A x, and x . A x.
struct Applied {
  MacField<float> x, ax;
  double energy;
  Applied(const SampleStrain& p, std::uint64_t seed) : x(p.random_faces(seed)), ax(p.layout) {
    Field<float> outflow(p.layout);
    energy = apply(serial, p.system, x, outflow, ax);
  }
};

TEST(StrainSystem, IsSymmetric) {
  for_strains([](SampleStrain p) {
    p.set_random(0.2);
    const Applied x(p, 1), y(p, 5);
    const double xy = dot(p.domain, x.x, y.ax), yx = dot(p.domain, y.x, x.ax);
    EXPECT_GT(std::min(x.energy, y.energy), 0);
    EXPECT_NEAR(xy, yx, 1e-6 * std::sqrt(x.energy * y.energy)) << p.domain.cells;
  });
}

TEST(StrainSystem, IsTheSecondDerivativeOfTheEnergy) {
  for_strains([](SampleStrain p) {
    p.set_random(0.2);
    const Applied x(p, 1);
    const std::vector<double> v = p.values(x.x), exact = p.product(v), got = p.values(x.ax);
    double most = 0;
    for (double e : exact) most = std::max(most, std::abs(e));
    for (std::size_t n = 0; n < exact.size(); ++n) ASSERT_NEAR(got[n], exact[n], 1e-6 * most) << n << p.domain.cells;
    EXPECT_NEAR(x.energy, dot(v, exact), 1e-6 * x.energy);
    // Faces that are no unknowns have no force.
    for (int a = 0; a < 3; ++a)
      for_each(p.domain.faces(a), [&](Cell c) {
        if (p.system.mass[a](c) == 0) {
          ASSERT_EQ(x.ax[a](c), 0);
        }
      });
  });
}

TEST(StrainSystem, StepsOfRelaxation) {
  for_strains([](SampleStrain p) {
    p.set_random(0.2);
    const Applied at(p, 1);
    const MacField<float> b = p.random_faces(9), inverse = p.random_faces(13);
    MacField<float> x = at.x, r(p.layout), before = p.random_faces(17), scaled(p.layout);
    MacField<float> cleared = before;
    const MacField<float> was = before;
    Field<float> outflow(p.layout);
    residual(serial, p.system, b, x, outflow, r);
    relax(serial, p.system, inverse, b, 0.3, 0.7, x, outflow, before);
    first_relax(serial, p.system, inverse, b, 0.7, scaled, cleared);
    for (int a = 0; a < 3; ++a)
      for_each(p.domain.faces(a), [&](Cell c) {
        const double left = double(b[a](c)) - at.ax[a](c), now = x[a](c);
        ASSERT_NEAR(r[a](c), left, 1e-5);
        ASSERT_NEAR(before[a](c), now + 0.3 * (now - was[a](c)) + 0.7 * inverse[a](c) * left, 1e-5);
        ASSERT_NEAR(scaled[a](c), 0.7 * inverse[a](c) * b[a](c), 1e-6);
        ASSERT_EQ(cleared[a](c), 0);
      });
  });
}

/// The largest eigenvalue of `inverse` A, by the power method.
double largest_eigenvalue(const SampleStrain& p) {
  MacField<float> inverse(p.layout), x = p.random_faces(1), ax(p.layout);
  Field<float> outflow(p.layout);
  invert_row_sums(serial, p.system, inverse);
  double out = 0;
  for (int n = 0; n < 60; ++n) {
    const double energy = apply(serial, p.system, x, outflow, ax);
    double size = 0, most = 0;
    for (int a = 0; a < 3; ++a)
      for_each(p.domain.faces(a), [&](Cell c) {
        if (inverse[a](c) > 0) size += double(x[a](c)) * x[a](c) / inverse[a](c);
        most = std::max(most, std::abs(double(ax[a](c)) * inverse[a](c)));
      });
    out = energy / size;
    for (int a = 0; a < 3; ++a)
      for_each(p.domain.faces(a), [&](Cell c) { x[a].at(c) = float(inverse[a](c) * ax[a](c) / most); });
  }
  return out;
}

TEST(StrainSystem, SumsOfRowsBoundTheSpectrum) {
  for_strains([](SampleStrain p) {
    p.set_random(0.2);
    EXPECT_LE(largest_eigenvalue(p), 1 + 1e-5);
    EXPECT_GT(largest_eigenvalue(p), 0.4);
  });
  // On a ring whatever alternates from face to face meets the bound, for each part by itself.
  struct Parts {
    double squeeze, stretch, shear;
  };
  for (const Parts& parts : {Parts{1, 0, 0}, Parts{0, 1, 0}, Parts{0, 0, 1}})
    for (int depth : {1, 8}) {
      SampleStrain p({{0, 0, 0}, {8, 8, depth}}, Side::periodic, Side::periodic, Side::periodic);
      p.set_all(1e-3, parts.squeeze, parts.stretch, parts.shear, p.system);
      EXPECT_LE(largest_eigenvalue(p), 1 + 1e-5) << parts.squeeze << parts.stretch << parts.shear;
      EXPECT_GT(largest_eigenvalue(p), 0.9) << parts.squeeze << parts.stretch << parts.shear;
    }
}

/// x goes on to all faces that are held, are no wall's and have a neighbour that moves; nothing flows through them.
struct Extended {
  MacField<float> shares, lends;
  explicit Extended(SampleStrain& p) : shares(p.layout), lends(p.layout) {
    StrainSystem& s = p.system;
    for (int a = 0; a < 3; ++a) {
      const auto neighbours = [&](Cell c, const MacField<float>& field) {
        int count = 0;
        for (int b = 0; b < 3; ++b)
          for (const int side : {-1, 1})
            if (p.domain.lattice.active[b]) count += field[a](c + unit(b) * side) > 0;
        return count;
      };
      for_each(p.domain.faces(a), [&](Cell c) {
        const int count = neighbours(c, s.mass);
        if (s.mass[a](c) == 0 && !p.is_wall(a, c) && count > 0) shares[a].at(c) = 1.0f / float(count);
        if (shares[a](c) > 0) s.open[a].at(c) = 0;
      });
      wrap_faces(serial, p.domain, shares);
      for_each(p.domain.faces(a), [&](Cell c) {
        if (s.mass[a](c) > 0 && neighbours(c, shares) > 0) lends[a].at(c) = 1;
      });
    }
    p.wrap(s);
    s.extended = &shares, s.lends = &lends;
  }
};

// E^T A E: symmetric, of the energy that A has at E x, with rows that bound it.
TEST(StrainSystem, GoesOnWhereItIsTold) {
  for_strains([](SampleStrain p) {
    p.set_random(0.2);
    const Extended extended(p);
    const Applied x(p, 1), y(p, 5);
    const double xy = dot(p.domain, x.x, y.ax), yx = dot(p.domain, y.x, x.ax);
    EXPECT_NEAR(xy, yx, 1e-6 * std::sqrt(x.energy * y.energy)) << p.domain.cells;
    EXPECT_LE(largest_eigenvalue(p), 1 + 1e-5);
    SampleStrain plain = p;  // all of these are unknowns, and weigh next to nothing
    plain.system.extended = nullptr;
    int count = 0;
    for (int a = 0; a < 3; ++a)
      for_each(p.domain.faces(a), [&](Cell c) {
        if (extended.shares[a](c) > 0) plain.system.mass[a].at(c) = 1e-20f, ++count;
      });
    EXPECT_GT(count, 3);
    plain.wrap(plain.system);
    MacField<float> ex = x.x, product(p.layout);
    Field<float> outflow(p.layout);
    EXPECT_NEAR(apply(serial, plain.system, ex, outflow, product), x.energy, 1e-5 * x.energy);
  });
}

/// A lattice of half the resolution.
SampleStrain half(const SampleStrain& fine) {
  Box cells = fine.domain.cells;
  for (int a = 0; a < 3; ++a)
    if (fine.domain.lattice.active[a])
      cells.lo[a] = floor_div(cells.lo[a], 2), cells.hi[a] = -floor_div(-cells.hi[a], 2);
  const auto& sides = fine.domain.sides;
  return SampleStrain(cells, sides[0][0], sides[1][0], sides[2][0]);
}

// Differences of a linear flow are the same everywhere, and twice as large on the coarse lattice: whatever the
// coefficients, its energy is kept. Both systems weigh nothing; walls are too far away to matter.
TEST(StrainSystem, CoarseOnesKeepTheEnergyOfLinearFlows) {
  const double g[3][3] = {{0.3, -1.1, 0.7}, {0.4, 0.9, -0.2}, {1.3, 0.5, -0.6}};
  for (int depth : {1, 12}) {
    SampleStrain fine({{-4, 2, depth == 1 ? 0 : 3}, {10, 17, depth == 1 ? 1 : 3 + depth}}, Side::wall, Side::wall,
                      Side::wall);
    fine.set_random(0);
    StrainSystem& s = fine.system;
    const Int3 active = fine.domain.lattice.active;
    const Box inside = grow(fine.domain.cells, active * -4);
    for (int a = 0; a < 3; ++a) {
      for_each(fine.domain.faces(a), [&](Cell c) { s.mass[a].at(c) = 1e-20f, s.open[a].at(c) = 1; });
      for_each(fine.domain.edges(a), [&](Cell c) {
        if (inside.contains(c)) return;
        s.shear[a].at(c) = 0;
      });
    }
    for_each(fine.domain.cells, [&](Cell c) {
      if (!inside.contains(c)) s.squeeze.at(c) = s.stretch.at(c) = 0;
    });
    SampleStrain coarse = half(fine);
    coarsen(serial, fine.system, coarse.system);
    double energy[2];
    for (int i = 0; i < 2; ++i) {
      const SampleStrain& p = i == 0 ? fine : coarse;
      const double h = 1 + i;
      MacField<float> x(p.layout), ax(p.layout);
      Field<float> outflow(p.layout);
      for (int a = 0; a < 3; ++a)
        for_each(p.domain.faces(a), [&](Cell c) {
          double u = 0;
          for (int b = 0; b < 3; ++b)
            if (active[b]) u += g[a][b] * h * (c[b] + (a == b ? 0 : 0.5));
          x[a].at(c) = float(u);
        });
      energy[i] = apply(serial, p.system, x, outflow, ax);
    }
    EXPECT_GT(energy[0], 100);
    EXPECT_NEAR(energy[1], energy[0], 1e-4 * energy[0]) << depth;
  }
}

// Nothing is lost or counted twice at walls and round rings; and openness is a mean.
TEST(StrainSystem, CoarseOnesHaveAllTheMass) {
  const auto sum = [](const Box& box, const Field<float>& field) {
    double out = 0;
    for_each(box, [&](Cell c) { out += field(c); });
    return out;
  };
  for (Side side : {Side::wall, Side::periodic})
    for (int depth : {1, 8}) {
      SampleStrain fine({{-4, 2, 0}, {8, 10, depth}}, side, Side::wall, side);
      fine.set_random(0.2);
      for (int a = 0; a < 3; ++a) for_each(fine.domain.faces(a), [&](Cell c) { fine.system.open[a].at(c) = 0.3f; });
      SampleStrain coarse = half(fine);
      coarsen(serial, fine.system, coarse.system);
      const StrainSystem &f = fine.system, &c = coarse.system;
      const auto same = [](double got, double expected) { EXPECT_NEAR(got, expected, 1e-5 * expected); };
      same(sum(coarse.domain.cells, c.squeeze), 0.25 * sum(fine.domain.cells, f.squeeze));
      same(sum(coarse.domain.cells, c.stretch), 0.25 * sum(fine.domain.cells, f.stretch));
      for (int a = 0; a < 3; ++a) {
        if (!fine.domain.lattice.active[a]) continue;
        same(sum(coarse.domain.faces(a), c.mass[a]), sum(fine.domain.faces(a), f.mass[a]));
        for_each(coarse.domain.faces(a), [&](Cell at) { ASSERT_NEAR(c.open[a](at), 0.3, 1e-6); });
      }
      for (int e = 0; e < 3; ++e) {
        if (!fine.has_edges(e)) continue;
        same(sum(coarse.edges(e), c.shear[e]), 0.25 * sum(fine.edges(e), f.shear[e]));
      }
    }
}

TEST(StrainSystem, RestrictsWithTheTransposeOfProlonging) {
  for (Side side : {Side::wall, Side::periodic})
    for (int depth : {1, 8}) {
      SampleStrain fine({{-4, 3, 0}, {8, 10, depth}}, side, Side::wall, side);
      fine.set_random(0.3);
      SampleStrain coarse = half(fine);
      coarsen(serial, fine.system, coarse.system);
      MacField<float> x = fine.random_faces(1), y = coarse.random_faces(5), rx(coarse.layout), py(fine.layout);
      restrict_faces(serial, fine.system, x, coarse.system, rx);
      prolong_faces(serial, coarse.system, y, fine.system, py);
      const double xy = dot(fine.domain, x, py), yx = dot(coarse.domain, y, rx);
      EXPECT_GT(std::abs(xy), 0.1);
      EXPECT_NEAR(xy, yx, 1e-5 * std::sqrt(dot(fine.domain, py, py) * dot(fine.domain, x, x)));
    }
}

// What is linear between coarse faces stays so, away from walls.
TEST(StrainSystem, ProlongsLinearly) {
  for (int depth : {1, 8}) {
    SampleStrain fine({{0, 0, 0}, {16, 8, depth}}, Side::wall, Side::wall, Side::wall);
    fine.set_all(1, 1, 1, 1, fine.system);
    SampleStrain coarse = half(fine);
    coarsen(serial, fine.system, coarse.system);
    const auto flow = [&](int a, Cell c, double h) {
      double u = 1 + a;
      for (int b = 0; b < 3; ++b)
        if (fine.domain.lattice.active[b]) u += (0.3 * a - 0.2 * b) * h * (c[b] + (a == b ? 0 : 0.5));
      return u;
    };
    MacField<float> x(coarse.layout), px(fine.layout);
    for (int a = 0; a < 3; ++a) for_each(coarse.domain.faces(a), [&](Cell c) { x[a].at(c) = float(flow(a, c, 2)); });
    prolong_faces(serial, coarse.system, x, fine.system, px);
    const Box inside = grow(fine.domain.cells, fine.domain.lattice.active * -2);
    for (int a = 0; a < 3; ++a)
      if (fine.domain.lattice.active[a])
        for_each(inside, [&](Cell c) { ASSERT_NEAR(px[a](c), flow(a, c, 1), 1e-5) << a << c; });
  }
}

}  // namespace
}  // namespace silt

#include "silt/solve/multigrid.h"

#include <gtest/gtest.h>

#include <cstring>

#include "silt/solve/poisson_problem.h"
#include "silt/solve/poisson_solver.h"

namespace silt {
namespace {

using namespace test;
using Problem = PoissonProblem;

/// z = M r for a field of noise that the operator can reach.
struct Applied {
  Field<double> r;
  Field<float> z;
  Applied(const Problem& p, Multigrid& m, std::uint64_t seed) : r(p.random_field<double>(seed)), z(p.layout) {
    NullSpace(serial, PoissonOperator(serial, p.domain, p.weights)).make_compatible(serial, r);
    m.apply(serial, r, z);
  }
};

/// Larger than the coarsest level may be, of odd sizes, off the lattice's origin; closed faces at random divide cells
/// into many parts.
template <class Check>
void for_problems_of_several_levels(const Check& check) {
  for (const Box& cells : {Box{{-3, 1, 4}, {14, 12, 17}}, Box{{-7, 3, 0}, {30, 26, 1}}, Box{{5, 0, 0}, {1005, 1, 1}}})
    for (Side x : sides)
      for (Side z : {Side::wall, Side::periodic})
        for (double closed : {0.0, 0.35, 0.7}) {
          Problem p(cells, x, Side::open, z);
          p.random_weights(closed);
          check(p);
        }
}

TEST(Multigrid, IsSymmetricAndPositive) {
  for_problems_of_several_levels([](Problem& p) {
    const PoissonOperator op(serial, p.domain, p.weights);
    Multigrid m;
    m.prepare(serial, op);
    const Applied a(p, m, 1), b(p, m, 2);
    const double ab = dot(values(p, a.r), values(p, b.z)), ba = dot(values(p, b.r), values(p, a.z));
    const double aa = dot(values(p, a.r), values(p, a.z)), bb = dot(values(p, b.r), values(p, b.z));
    EXPECT_GT(aa, 0);
    EXPECT_GT(bb, 0);
    EXPECT_NEAR(ab, ba, 2e-5 * std::sqrt(aa * bb)) << p.domain.cells;
  });
}

TEST(Multigrid, CoarseLevelsSumToTheirFiner) {
  // A constant costs on every level what it costs to hold it, three quarters of the finer level's: nothing is lost or
  // counted twice among lattice weights, links and held couplings. Seen from the rows: D x - W x = held.
  for_problems_of_several_levels([](Problem& p) {
    const PoissonOperator op(serial, p.domain, p.weights);
    Multigrid m;
    m.prepare(serial, op);
    double held_before = -1;
    for (const Level& level : m.levels()) {
      if (!level.held.allocated()) continue;
      double held = 0, rows = 0, scale = 0;
      const float* inverse = level.inverse.values().host();
      std::vector<double> pull(level.inverse.values().size(), 0.0);
      for (int a = 0; a < 3; ++a)
        for_each(level.domain.faces(a), [&](Cell f) {
          Cell below = f - unit(a);
          if (level.periodic(a) && below[a] < level.domain.cells.lo[a]) below[a] += level.domain.cells.size()[a];
          const double w = level.weights()[a](f);
          if (w == 0) return;
          pull[std::size_t(level.lattice.index(f))] += w, pull[std::size_t(level.lattice.index(below))] += w;
        });
      for (int r = 0; r < level.links.rows(); ++r)
        for (int n = level.links.start.host()[r]; n < level.links.start.host()[r + 1]; ++n)
          pull[std::size_t(level.links.row.host()[r])] += level.links.weight.host()[n];
      const auto add = [&](int i) {
        held += level.held.values().host()[i];
        if (inverse[i] > 0) rows += 1 / double(inverse[i]) - pull[std::size_t(i)], scale += 1 / double(inverse[i]);
      };
      for_each(level.domain.cells, [&](Cell c) { add(level.lattice.index(c)); });
      for (std::size_t n = 0; n < level.home.size(); ++n) add(int(level.lattice.size + n));
      EXPECT_NEAR(rows, held, 1e-5 * scale);
      if (held_before >= 0) {
        EXPECT_NEAR(held, 0.75 * held_before, 1e-5 * scale);
      }
      held_before = held;
    }
  });
}

// What is known of plain cells without looking is what looking finds: cells that are marked, if only as free, are
// looked at one by one.
TEST(Multigrid, PlainRunsMakeTheSameHierarchy) {
  for (const Box& cells : {Box{{-3, 1, 4}, {38, 14, 13}}, Box{{2, 0, 0}, {66, 20, 1}}, Box{{0, 0, 0}, {40, 1, 9}}})
    for (Side x : sides)
      for (Side y : sides) {
        Problem p(cells, x, y, Side::wall);
        p.set_weights([&](int a, Cell c) {  // a hole, and some faces that weigh more
          return c.x == 20 && c.y == cells.lo.y + 1 ? 0.0 : a == 1 && c.x > 30 && c.x < 33 ? 1.5 : 1.0;
        });
        const Field<unsigned char> none(p.layout);
        const PoissonOperator op(serial, p.domain, p.weights);
        Multigrid known, looked_at;
        known.prepare(serial, op);
        looked_at.prepare(serial, op, &none);
        ASSERT_TRUE(op.plain_runs().any());
        const Level &one = known.levels()[1], &other = looked_at.levels()[1];
        for_each(one.domain.cells, [&](Cell c) {
          for (int a = 0; a < 3; ++a) ASSERT_EQ(one.coarse_weights[a](c), other.coarse_weights[a](c)) << a << ' ' << c;
          ASSERT_EQ(one.held(c), other.held(c)) << c;
          ASSERT_EQ(one.inverse(c), other.inverse(c)) << c;
        });
        EXPECT_EQ(one.home, other.home);
      }
}

/// A box of n^3 cells cut in two by a wall without thickness across x, at an odd place, with a door or none.
Problem divided_box(int n, bool door) {
  Problem p({{0, 0, 0}, {n, n, n}}, Side::wall, Side::wall, Side::wall);
  p.set_weights([&](int a, Cell c) { return a == 0 && c.x == 2 * (n / 4) + 1 && !(door && c.y < 2) ? 0.0 : 1.0; });
  return p;
}

TEST(Multigrid, NothingPassesAClosedWall) {
  Problem p = divided_box(16, false);
  const PoissonOperator op(serial, p.domain, p.weights);
  Multigrid m;
  m.prepare(serial, op);
  EXPECT_GT(m.levels()[1].home.size(), 0u);
  Field<double> r(p.layout);
  Field<float> z(p.layout);
  for_each(p.domain.cells, [&](Cell c) { r.at(c) = c.x < 9 ? noise(3, c) : 0; });
  m.apply(serial, r, z);
  double left = 0;
  for_each(p.domain.cells, [&](Cell c) {
    if (c.x < 9) {
      left += std::abs(z(c));
    } else {
      EXPECT_EQ(z(c), 0) << c;
    }
  });
  EXPECT_GT(left, 0);
}

int iterations(Problem& p, const Exec& exec = serial) {
  PoissonSolver solver(p.layout);
  solver.prepare(exec, p.domain, p.weights);
  Field<double> b = p.random_field<double>(5), x(p.layout);
  for_each(p.domain.cells,
           [&](Cell c) { b.at(c) = 0.1 * b(c) + std::sin(0.3 * c.x) * std::cos(0.2 * c.y + 0.1 * c.z); });
  const SolveReport report = solver.solve(exec, {1e-6, 100}, b, x);
  EXPECT_TRUE(report.converged);
  return report.iterations;
}

TEST(Multigrid, TakesFewIterationsAndNoMoreOnAFinerGrid) {
  for (int n : {16, 32, 64}) {
    Problem box({{0, 0, 0}, {n, n, n}}, Side::wall, Side::wall, Side::wall);
    EXPECT_LE(iterations(box), 9) << n;
    Problem open({{0, 0, 0}, {n, n, n}}, Side::open, Side::wall, Side::periodic);
    EXPECT_LE(iterations(open), 10) << n;
    Problem divided = divided_box(n, true);
    EXPECT_LE(iterations(divided), 11) << n;
  }
  Problem plate({{0, 0, 0}, {200, 150, 1}}, Side::open, Side::wall, Side::wall);
  EXPECT_LE(iterations(plate), 12);
}

TEST(Multigrid, TheSameBitsForAnyNumberOfThreads) {
  Problem p = divided_box(24, true);
  const PoissonOperator op(serial, p.domain, p.weights);
  const Field<double> r = p.random_field<double>(1);
  const auto correction = [&](const Exec& exec) {
    Multigrid m;
    m.prepare(exec, op);
    Field<float> z(p.layout);
    m.apply(exec, r, z);
    return z;
  };
  const Field<float> one = correction(serial), three = correction(Exec(Device::cpu, 3, 1));
  EXPECT_EQ(0, std::memcmp(one.values().host(), three.values().host(), one.values().bytes()));
}

// Cells held at zero are outside: the cycle is that of the domain without them.
TEST(Multigrid, FixedCellsAreHeldAtZero) {
  Problem p({{0, 0, 0}, {24, 20, 18}}, Side::wall, Side::wall, Side::wall);
  const PoissonOperator op(serial, p.domain, p.weights);
  Field<unsigned char> fixed(p.layout);
  for_each(p.domain.cells, [&](Cell c) { fixed.at(c) = c.z > 9 + (c.x + c.y) / 8; });
  Multigrid m;
  m.prepare(serial, op, &fixed);
  // Richardson's iteration on the free cells converges quickly: I - M A is small there.
  Field<double> x(p.layout), b = p.random_field<double>(2), r(p.layout);
  Field<float> z(p.layout);
  for_each(p.domain.cells, [&](Cell c) {
    if (fixed(c)) b.at(c) = 0;
  });
  double first = 0, last = 0;
  for (int n = 0; n < 12; ++n) {
    op.residual(serial, x, b, r);
    double norm2 = 0;
    for_each(p.domain.cells, [&](Cell c) {
      if (fixed(c)) r.at(c) = 0;
      norm2 += r(c) * r(c);
    });
    (n == 0 ? first : last) = std::sqrt(norm2);
    m.apply(serial, r, z);
    for_each(p.domain.cells, [&](Cell c) {
      if (fixed(c)) {
        ASSERT_EQ(z(c), 0) << c;
      }
      x.at(c) += 0.7 * z(c);
    });
  }
  EXPECT_LT(last, 1e-3 * first);
}

TEST(Multigrid, WeightsOverTenDecades) {
  Problem p({{0, 0, 0}, {24, 24, 24}}, Side::wall, Side::open, Side::wall);
  p.set_weights([](int a, Cell c) { return std::pow(10.0, 5 * noise(11 + a, c)); });
  PoissonSolver solver(p.layout);
  solver.prepare(serial, p.domain, p.weights);
  Field<double> b = p.random_field<double>(5), x(p.layout);
  const SolveReport report = solver.solve(serial, {1e-6, 2000}, b, x);
  EXPECT_TRUE(report.converged);
  EXPECT_TRUE(std::isfinite(report.residual));
}

// A hierarchy that is used for other weights, and another shape of split cells, forgets the ones before.
TEST(Multigrid, IsMadeAnew) {
  Problem open_door = divided_box(20, true), closed = divided_box(20, false);
  const PoissonOperator first(serial, open_door.domain, open_door.weights),
      second(serial, closed.domain, closed.weights);
  Multigrid used, fresh;
  used.prepare(serial, first);
  used.prepare(serial, second);
  fresh.prepare(serial, second);
  const Applied a(closed, used, 1), b(closed, fresh, 1);
  EXPECT_EQ(0, std::memcmp(a.z.values().host(), b.z.values().host(), a.z.values().bytes()));
}

}  // namespace
}  // namespace silt

#include "silt/solve/bounded_solver.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "silt/core/error.h"
#include "silt/solve/coarser_problem.h"
#include "silt/solve/damped_steps.h"
#include "silt/solve/poisson_problem.h"
#include "silt/solve/projected_sor.h"
#include "silt/solve/sample_qps.h"

namespace silt {
namespace {

using test::for_each;
using test::serial;
using Problem = test::PoissonProblem;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A field of bounds: `base` with noise; a third of the cells have none.
Field<double> random_bounds(const Problem& p, double base, double none) {
  Field<double> f(p.layout);
  for_each(p.domain.cells, [&](Cell c) {
    const double u = test::noise(31, c);
    f.at(c) = u < -0.3 ? none : base + 0.3 * u;
  });
  return f;
}

struct Kind {
  const char* name;
  Box cells;
  Side side;
};
const Kind kinds[] = {
    {"line", {{-1, 0, 0}, {40, 1, 1}}, Side::open},
    {"open plane", {{-3, 5, 0}, {16, 22, 1}}, Side::open},
    {"closed plane", {{-3, 5, 0}, {36, 22, 1}}, Side::wall},
    {"periodic space", {{-2, 3, 0}, {6, 10, 9}}, Side::periodic},
};

/// The answer from `start` against projected SOR; whether there is one.
bool agrees(Problem& p, const BoundedOptions& options, const CellBounds& bounds, Field<double> x) {
  Field<double> b = p.random_field<double>(4), exact(p.layout);
  for_each(p.domain.cells, [&](Cell c) { b.at(c) -= 0.05; });  // a closed part is held by its lower bounds
  BoundedSolver solver;
  solver.prepare(serial, p.domain, p.weights);
  const BoundedReport report = solver.solve(serial, options, bounds, b, x);
  if (report.infeasible) return false;  // a small closed part without any bound
  EXPECT_TRUE(report.converged);
  EXPECT_LE(report.kkt, options.tolerance);
  EXPECT_GT(report.preconditioners, 0);
  projected_sor(PoissonOperator(serial, p.domain, p.weights), bounds, b, exact, 1e-12);
  double worst = 0;
  for_each(p.domain.cells, [&](Cell c) { worst = std::max(worst, std::abs(x(c) - exact(c))); });
  EXPECT_LE(worst, 1e-7);
  EXPECT_GT(report.at_lower, 0);
  EXPECT_GT(report.free, 0);
  EXPECT_EQ(report.at_upper > 0, bounds.upper < infinity || bounds.upper_field != nullptr);
  return true;
}

TEST(BoundedSolver, RefusesBoundsWithNothingBetween) {
  Problem p({{0, 0, 0}, {8, 8, 1}}, Side::open, Side::open, Side::open);
  BoundedSolver solver;
  solver.prepare(serial, p.domain, p.weights);
  Field<double> b = p.random_field<double>(4), x(p.layout), low(p.layout);
  low.at({3, 4, 0}) = std::nan("");
  for (const CellBounds& bounds :
       {CellBounds{.lower = 1, .upper = -1}, CellBounds{.lower = std::nan("")}, CellBounds{.lower = infinity},
        CellBounds{.upper = -infinity}, CellBounds{.lower_field = &low}})
    EXPECT_THROW(solver.solve(serial, {}, bounds, b, x), InputError);
}

TEST(BoundedSolver, AgreesWithProjectedSor) {
  int solved = 0;
  for (const Kind& kind : kinds)
    for (double closed : {0.0, 0.2})
      for (int pattern = 0; pattern < 3; ++pattern) {
        Problem p(kind.cells, kind.side, kind.side, kind.side);
        p.random_weights(closed);
        const Field<double> low = random_bounds(p, -0.5, -infinity), high = random_bounds(p, 0.5, infinity);
        const CellBounds bounds = pattern == 0   ? not_negative
                                  : pattern == 1 ? CellBounds{.lower = -0.2, .upper = 0.4}
                                                 : CellBounds{.lower = 0, .lower_field = &low, .upper_field = &high};
        for (FaceMethod method : {FaceMethod::automatic, FaceMethod::damped_steps, FaceMethod::incomplete_cholesky,
                                  FaceMethod::multigrid}) {
          SCOPED_TRACE(testing::Message()
                       << kind.name << ", closed " << closed << ", bounds " << pattern << ", method " << int(method));
          const BoundedOptions options{.tolerance = 1e-10, .preconditioner = method};
          solved += agrees(p, options, bounds, Field<double>(p.layout));
          solved += agrees(p, options, bounds, p.random_field<double>(6));  // a bad guess
        }
      }
  EXPECT_GE(solved, 6 * 20);
}

// On a line incomplete factors are complete: the preconditioner is the inverse on the face, held cells being zero.
TEST(MicPreconditioner, KnowsTheFace) {
  Problem p({{0, 0, 0}, {32, 1, 1}}, Side::open, Side::wall, Side::wall);
  const PoissonOperator op(serial, p.domain, p.weights);
  Field<unsigned char> fixed(p.layout);
  std::vector<double> m = p.dense(), rhs;
  Field<double> r = p.random_field<double>(2);
  for_each(p.domain.cells, [&](Cell c) {
    fixed.at(c) = c.x % 7 == 3 || c.x == 31;
    if (fixed(c)) {
      for (int j = 0; j < 32; ++j) m[std::size_t(c.x * 32 + j)] = m[std::size_t(j * 32 + c.x)] = j == c.x;
      r.at(c) = 0;
    }
    rhs.push_back(r(c));
  });
  MicPreconditioner mic;
  mic.prepare(serial, op, &fixed);
  Field<float> z(p.layout);
  mic.apply(serial, r, z);
  const std::vector<double> exact = solve_dense(m, rhs);
  for_each(p.domain.cells, [&](Cell c) { EXPECT_NEAR(z(c), exact[std::size_t(c.x)], 1e-5); });
}

// Whether a cell is held at a bound or by the operator is the same to it.
TEST(MicPreconditioner, KnowsWhatTheOperatorHolds) {
  Problem p({{0, 0, 0}, {20, 13, 1}}, Side::open, Side::wall, Side::wall);
  p.random_weights(0.1);
  Field<unsigned char> held(p.layout);
  Field<double> r = p.random_field<double>(2);
  for_each(p.domain.cells, [&](Cell c) {
    held.at(c) = (3 * c.x + 5 * c.y) % 7 == 3;
    if (held(c)) r.at(c) = 0;
  });
  const PoissonOperator whole(serial, p.domain, p.weights), part(serial, p.domain, p.weights, nullptr, &held);
  MicPreconditioner at_bounds, in_operator(serial, part);
  at_bounds.prepare(serial, whole, &held);
  Field<float> one(p.layout), other(p.layout);
  at_bounds.apply(serial, r, one), in_operator.apply(serial, r, other);
  for_each(p.domain.cells, [&](Cell c) { EXPECT_EQ(one(c), other(c)) << c.x << ' ' << c.y; });
}

/// Signs that alternate from cell to cell: what D^-1 A of a periodic lattice doubles.
Field<double> checkerboard(const Problem& p) {
  Field<double> f(p.layout);
  for_each(p.domain.cells, [&](Cell c) { f.at(c) = (c.x + c.y + c.z) % 2 ? -1 : 1; });
  return f;
}

// Conjugate gradients need a symmetric positive preconditioner, at the largest eigenvalue too, and zero off the face.
TEST(DampedSteps, AreSymmetricPositiveAndOnTheFace) {
  Problem p({{0, 0, 0}, {16, 12, 8}}, Side::periodic, Side::periodic, Side::periodic);
  const PoissonOperator op(serial, p.domain, p.weights);
  Field<unsigned char> fixed(p.layout);
  DampedSteps steps;
  Field<float> mx(p.layout), my(p.layout);
  const auto dot = [&](const Field<double>& a, const Field<float>& b) {
    double sum = 0;
    for_each(p.domain.cells, [&](Cell c) { sum += a(c) * b(c); });
    return sum;
  };
  const Field<double> fastest = checkerboard(p);
  steps.apply(serial, op, fixed, fastest, mx);
  EXPECT_GT(dot(fastest, mx), 0);
  for_each(p.domain.cells, [&](Cell c) { fixed.at(c) = test::noise(3, c) > 0.2; });
  const Field<double> x = p.random_field<double>(1), y = p.random_field<double>(2);
  steps.apply(serial, op, fixed, x, mx), steps.apply(serial, op, fixed, y, my);
  EXPECT_GT(dot(x, mx), 0);
  EXPECT_NEAR(dot(y, mx), dot(x, my), 1e-5 * dot(x, mx));
  for_each(p.domain.cells, [&](Cell c) { EXPECT_TRUE(!fixed(c) || mx(c) == 0); });
}

// Each sweep leaves 0.8 of the stiffest error there is, so ten leave 0.11.
TEST(BoundedSolver, SweepsTakeOutWhatAlternates) {
  Problem p({{0, 0, 0}, {16, 12, 1}}, Side::periodic, Side::periodic, Side::periodic);
  BoundedSolver solver;
  solver.prepare(serial, p.domain, p.weights);
  Field<double> b = checkerboard(p), x(p.layout);
  const BoundedReport report = solver.solve(serial, {.tolerance = 0.2}, {.lower = -9, .upper = 9}, b, x);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations(), 0);
  EXPECT_EQ(report.sweeps, 10);
  EXPECT_NEAR(report.kkt, std::pow(0.8, 10), 0.01);
}

// Held cells everywhere leave no long waves; walls everywhere do.
TEST(FacePreconditioner, FitsTheFace) {
  const int n = 28;
  const auto chosen = [&](double solid, double less) {
    Problem p({{0, 0, 0}, {n, n, n}}, Side::wall, Side::wall, Side::open);
    const auto in_solid = [&](Cell c) { return 0.5 * (test::noise(77, c) + 1) < solid; };
    p.set_weights([&](int a, Cell c) { return in_solid(c) || in_solid(c - unit(a)) ? 0.0 : 1.0; });
    BoundedSolver solver;
    solver.prepare(serial, p.domain, p.weights);
    Field<double> b(p.layout), x(p.layout);
    for_each(p.domain.cells, [&](Cell c) {
      b.at(c) = in_solid(c) ? 0 : less > 0 ? test::noise(5, c) - less : std::sin(7.0 * c.x / n) * c.y / n + 0.01;
    });
    const BoundedReport report = solver.solve(serial, {}, not_negative, b, x);
    EXPECT_TRUE(report.converged);
    return report.preconditioner;
  };
  EXPECT_EQ(chosen(0, 0.3), FaceMethod::damped_steps);
  EXPECT_EQ(chosen(0, 0), FaceMethod::multigrid);
  EXPECT_EQ(chosen(0.3, 0), FaceMethod::multigrid);
}

/// A pool of pushes in a box: smooth, about half of the cells at zero.
Field<double> smooth_load(const Problem& p) {
  Field<double> b(p.layout);
  const double n = p.domain.cells.size().x;
  for_each(p.domain.cells, [&](Cell c) {
    const auto hill = [&](double x, double y, double wide) {
      const double dx = c.x / n - x, dy = c.y / n - y;
      return std::exp(-(dx * dx + dy * dy) / (wide * wide));
    };
    b.at(c) = hill(0.4, 0.3, 0.2) - 2 * hill(0.6, 0.65, 0.15) - 0.07;
  });
  return b;
}

// From nothing the free cells would have to grow by a layer a step. Guesses from coarser lattices save that, and with
// multigrid the steps do not grow with the lattice. Lattices that cannot be halved do without.
TEST(BoundedSolver, StepsDoNotGrowWithTheLattice) {
  for (const Side side : {Side::open, Side::periodic})
    for (int n : {32, 64, 128}) {
      Problem p({{0, 0, 0}, {n, n, 1}}, side, Side::open, Side::wall);
      BoundedSolver solver;
      solver.prepare(serial, p.domain, p.weights);
      Field<double> b = smooth_load(p), x(p.layout);
      const BoundedReport report =
          solver.solve(serial, {.tolerance = 1e-6, .preconditioner = FaceMethod::multigrid}, not_negative, b, x);
      EXPECT_TRUE(report.converged);
      EXPECT_LE(report.iterations(), 25) << n;
    }
  Problem odd({{-1, 0, 0}, {32, 33, 1}}, Side::open, Side::open, Side::wall);
  BoundedSolver solver;
  solver.prepare(serial, odd.domain, odd.weights);
  Field<double> b = smooth_load(odd), x(odd.layout);
  EXPECT_TRUE(solver.solve(serial, {}, not_negative, b, x).converged);
}

// What the coarser problem must keep: all that flows in, and a linear field; between unit cells half of 2^(D-1) faces.
TEST(CoarserProblem, KeepsSumsAndLinearFields) {
  for (const Box& cells : {Box{{-8, 4, 0}, {8, 14, 1}}, Box{{-8, 4, -2}, {8, 14, 6}}}) {
    Problem p(cells, Side::wall, Side::open, Side::wall);
    const PoissonOperator op(serial, p.domain, p.weights);
    ASSERT_TRUE(CoarserProblem::exists(p.domain));
    CoarserProblem coarser;
    coarser.prepare(serial, op);
    const Field<double> b = p.random_field<double>(3);
    const Field<double>& coarse_b = coarser.take_right_side(serial, b);
    double fine_sum = 0, coarse_sum = 0;
    for_each(cells, [&](Cell c) { fine_sum += b(c); });
    for_each(coarser.domain().cells, [&](Cell c) { coarse_sum += coarse_b(c); });
    EXPECT_NEAR(fine_sum, coarse_sum, 1e-12);
    const int dims = p.domain.lattice.dims();
    EXPECT_EQ(coarser.weights()[0]({0, 3, 0}), dims == 2 ? 1 : 2);
    EXPECT_EQ(coarser.weights()[0]({-4, 3, 0}), 0);  // a wall stays one
    // Centres of coarse cells lie at 2 c + 1/2 in fine indices.
    for_each(grow(coarser.domain().cells, p.layout.active), [&](Cell c) {
      coarser.x().at(c) = 2 * c.x + 0.5 + 3 * (2 * c.y + 0.5) - (dims == 3 ? 2 * c.z + 0.5 : 0);
    });
    Field<double> x(p.layout);
    coarser.interpolate(serial, cells, x);
    for_each(cells, [&](Cell c) { ASSERT_NEAR(x(c), c.x + 3 * c.y - (dims == 3 ? c.z : 0), 1e-12) << c; });
  }
  EXPECT_FALSE(CoarserProblem::exists(Problem({{-1, 0, 0}, {15, 16, 1}}, Side::wall, Side::open, Side::wall).domain));
}

/// Nothing leads from cells below x = 4 to those from there on.
Problem two_rooms() {
  Problem p({{-4, 0, 0}, {12, 9, 1}}, Side::wall, Side::wall, Side::wall);
  p.set_weights([](int a, Cell c) { return a == 0 && c.x == 4 ? 0.0 : 1.0; });
  return p;
}

TEST(BoundedSolver, SaysWhichClosedPartNothingHolds) {
  const Problem p = two_rooms();
  Field<double> b = p.random_field<double>(4), x(p.layout);
  for_each(p.domain.cells, [&](Cell c) { b.at(c) += c.x < 4 ? -0.3 : 0.3; });
  double push = 0;
  for_each(p.domain.cells, [&](Cell c) { push += c.x >= 4 ? b(c) : 0; });
  BoundedSolver solver;
  solver.prepare(serial, p.domain, p.weights);
  const Field<double> asked = b;
  const BoundedReport report = solver.solve(serial, {1e-9, 500}, not_negative, b, x);
  EXPECT_TRUE(report.infeasible);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.unheld.cell, (Cell{4, 0, 0}));
  EXPECT_EQ(report.unheld.cells, 72);
  EXPECT_NEAR(report.unheld.push, push, 1e-10);
  EXPECT_LE(report.kkt, 1e-9);  // the rest has been solved
  EXPECT_LT(report.iterations(), 200);
  // An upper bound holds it.
  b = asked;
  const BoundedReport held = solver.solve(serial, {1e-9, 500}, {.lower = 0, .upper = 100}, b, x);
  EXPECT_TRUE(held.converged);
  EXPECT_GT(held.at_upper, 0);
  // Pushed the other way, without a lower bound.
  b = asked;
  const BoundedReport down = solver.solve(serial, {1e-9, 500}, {.upper = 0}, b, x);
  EXPECT_TRUE(down.infeasible);
  EXPECT_EQ(down.unheld.cell, (Cell{-4, 0, 0}));
}

// Both rooms are pushed away from the bound; a screen holds the first.
TEST(BoundedSolver, SaysWhichClosedPartNoScreenHolds) {
  const Problem p = two_rooms();
  Field<float> screen(p.layout);
  for_each(p.domain.cells, [&](Cell c) { screen.at(c) = c.x < 4 ? 0.1f : 0.0f; });
  Field<double> b = p.random_field<double>(4), x(p.layout);
  for_each(p.domain.cells, [&](Cell c) { b.at(c) += 0.3; });
  BoundedSolver solver;
  solver.prepare(serial, p.domain, p.weights, &screen);
  const BoundedReport report = solver.solve(serial, {1e-9, 500}, not_negative, b, x);
  EXPECT_TRUE(report.infeasible);
  EXPECT_FALSE(report.converged);
  EXPECT_EQ(report.unheld.cell, (Cell{4, 0, 0}));
  EXPECT_EQ(report.unheld.cells, 72);
  EXPECT_LE(report.kkt, 1e-9);  // the rest has been solved
}

TEST(BoundedSolver, AScreenHoldsEverything) {
  Problem p({{0, 0, 0}, {20, 12, 1}}, Side::wall, Side::wall, Side::wall);
  Field<float> screen(p.layout);
  for_each(p.domain.cells, [&](Cell c) { screen.at(c) = float(0.1 + c.x * 0.01); });
  Field<double> b = p.random_field<double>(4), x(p.layout), exact(p.layout);
  for_each(p.domain.cells, [&](Cell c) { b.at(c) += 0.5; });
  BoundedSolver solver;
  solver.prepare(serial, p.domain, p.weights, &screen);
  EXPECT_TRUE(solver.solve(serial, {1e-10, 500}, not_negative, b, x).converged);
  projected_sor(PoissonOperator(serial, p.domain, p.weights, &screen), not_negative, b, exact, 1e-12, &screen);
  for_each(p.domain.cells, [&](Cell c) { ASSERT_NEAR(x(c), exact(c), 1e-8); });
}

TEST(BoundedSolver, BadNumbersNeverReachTheAnswer) {
  for (Side side : {Side::open, Side::wall})
    for (double bad : {std::nan(""), infinity, -infinity, 1e300}) {
      Problem p({{0, 0, 0}, {12, 12, 1}}, side, side, Side::wall);
      BoundedSolver solver;
      solver.prepare(serial, p.domain, p.weights);
      Field<double> b = p.random_field<double>(4), x = p.random_field<double>(5);
      b.at({3, 3, 0}) = bad;
      EXPECT_FALSE(solver.solve(serial, {}, not_negative, b, x).converged);
      for_each(p.domain.cells, [&](Cell c) { ASSERT_TRUE(std::isfinite(x(c)) && x(c) >= 0); });
      b = p.random_field<double>(4);
      for_each(p.domain.cells, [&](Cell c) { b.at(c) -= 0.1; });
      x.at({5, 5, 0}) = bad;
      EXPECT_TRUE(solver.solve(serial, {}, not_negative, b, x).converged);
    }
}

// Where there is no row, b says nothing; a weight or a screen that is no number leaves no answer, but no NaN either.
TEST(BoundedSolver, BadNumbersInSolidsWeightsAndScreens) {
  for (const int where : {0, 1, 2}) {
    Problem p({{0, 0, 0}, {16, 16, 1}}, Side::open, Side::open, Side::wall);
    const Cell solid{7, 7, 0};
    p.set_weights([&](int a, Cell c) { return c == solid || c - unit(a) == solid ? 0.0 : 1.0; });
    Field<float> screen(p.layout);
    Field<double> b = p.random_field<double>(4), x(p.layout);
    const double bad = std::nan("");
    if (where == 0) b.at(solid) = bad;
    if (where == 1) p.weights[0].at({3, 3, 0}) = float(bad);
    if (where == 2) screen.at({3, 3, 0}) = float(bad);
    BoundedSolver solver;
    solver.prepare(serial, p.domain, p.weights, where == 2 ? &screen : nullptr);
    const BoundedReport report = solver.solve(serial, {.max_iterations = 50}, not_negative, b, x);
    EXPECT_EQ(report.converged, where == 0) << where;
    EXPECT_TRUE(std::isfinite(report.kkt));
    for_each(p.domain.cells, [&](Cell c) { ASSERT_TRUE(std::isfinite(x(c)) && x(c) >= 0) << where << ' ' << c; });
  }
}

TEST(BoundedSolver, SameBitsForThreadsAndPadding) {
  const Box cells{{-5, -5, -5}, {30, 6, 3}};
  const auto run = [&](int threads, int pad) {
    Problem p(cells, Side::periodic, Side::wall, Side::open, pad);
    p.random_weights(0.2);
    BoundedSolver solver;
    const Exec exec(Device::cpu, threads, 0);
    solver.prepare(exec, p.domain, p.weights);
    Field<double> b = p.random_field<double>(4), x(p.layout);
    solver.solve(exec, {1e-10, 20}, not_negative, b, x);
    return x;
  };
  const Field<double> one = run(1, 0);
  for (auto [threads, pad] : {std::pair{2, 0}, {3, 16}}) {
    const Field<double> other = run(threads, pad);
    for_each(cells, [&](Cell c) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(one(c)), std::bit_cast<std::uint64_t>(other(c))) << c << " " << threads;
    });
  }
}

}  // namespace
}  // namespace silt

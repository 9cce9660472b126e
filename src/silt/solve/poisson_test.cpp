#include "silt/solve/poisson.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "silt/core/random.h"
#include "silt/fields/halo.h"
#include "silt/fields/row_spans.h"
#include "silt/fields/test_tools.h"
#include "silt/solve/poisson_problem.h"
#include "silt/solve/poisson_solver.h"
#include "silt/solve/sample_qps.h"

namespace silt {
namespace {

using test::dot;
using test::for_each;
using test::noise;
using test::product;
using test::serial;
using test::sides;
using test::values;
using Problem = test::PoissonProblem;

bool finite(const Field<double>& f) {
  for (std::size_t i = 0; i < f.values().size(); ++i)
    if (!std::isfinite(f.values().host()[i])) return false;
  return true;
}

/// |b - A x| / |b|, the operator applied by the dense matrix.
double true_residual(const Problem& p, const Field<double>& b, const Field<double>& x) {
  std::vector<double> r = product(p.dense(), values(p, x));
  const std::vector<double> rhs = values(p, b);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = rhs[i] - r[i];
  return std::sqrt(dot(r, r) / dot(rhs, rhs));
}

template <class Check>
void for_problems(const Check& check) {
  for (const Box& cells : {Box{{-2, 3, 0}, {2, 6, 5}}, Box{{-3, 5, 0}, {6, 12, 1}}, Box{{-1, 0, 0}, {40, 1, 1}}})
    for (Side x : sides)
      for (Side y : sides)
        for (double closed : {0.0, 0.3}) {
          Problem p(cells, x, y, Side::wall);
          p.random_weights(closed);
          check(p);
        }
}

TEST(PoissonOperator, IsTheAssembledMatrix) {
  for_problems([](Problem& p) {
    const Exec& exec = serial;
    const PoissonOperator op(exec, p.domain, p.weights);
    const std::vector<double> m = p.dense();
    Field<float> x = p.random_field<float>(1);
    Field<double> ax(p.layout);
    const double xax = op.apply(exec, x, ax);
    const std::vector<double> expected = product(m, values(p, x)), got = values(p, ax);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 1e-6) << i;  // weights are float
    EXPECT_NEAR(xax, dot(values(p, x), got), 1e-12);
    for_each(p.domain.cells,
             [&](Cell c) { EXPECT_NEAR(op.diagonal()(c), m[std::size_t(p.row(c)) * (p.rows() + 1)], 1e-6); });
    // r = b - A x, with x in double.
    Field<double> xd = p.random_field<double>(2), b = p.random_field<double>(3), r(p.layout);
    const double norm2 = op.residual(exec, xd, b, r);
    const std::vector<double> axd = product(m, values(p, xd)), rhs = values(p, b), rest = values(p, r);
    for (std::size_t i = 0; i < rest.size(); ++i) ASSERT_NEAR(rest[i], rhs[i] - axd[i], 1e-12);
    EXPECT_NEAR(norm2, dot(rest, rest), 1e-11);
  });
}

// Away from the holes weights are not read from memory.
TEST(PoissonOperator, PlainRunsAreTheSameMatrix) {
  for (const Box& cells : {Box{{-2, 3, 0}, {11, 9, 5}}, Box{{0, 0, 0}, {33, 8, 1}}, Box{{0, -3, 4}, {70, 5, 9}},
                           Box{{-4, 0, 0}, {40, 1, 1}}}) {
    Problem p(cells, Side::open, Side::wall, Side::periodic);
    const Cell hole = cells.lo + Int3{8, 0, 0};
    p.set_weights([&](int a, Cell c) { return c == hole || c == hole + unit(a) ? 0.25 : 2.0; });
    const PoissonOperator op(serial, p.domain, p.weights);
    EXPECT_EQ(op.plain_runs().weight, cells.size().x < 32 ? 0 : 2);
    if (cells.size().y == 1) {  // from the hole, whose face is the run's end, to the side
      EXPECT_EQ(op.plain_runs().end[0] - op.plain_runs().begin[0], cells.hi.x - hole.x - 1);
      EXPECT_EQ(op.plain_runs().left[0], 0.25f);
    }
    Field<double> x = p.random_field<double>(2), b = p.random_field<double>(3), r(p.layout);
    op.residual(serial, x, b, r);
    const std::vector<double> ax = product(p.dense(), values(p, x)), rhs = values(p, b), rest = values(p, r);
    for (std::size_t i = 0; i < rest.size(); ++i) ASSERT_NEAR(rest[i], rhs[i] - ax[i], 1e-12);
  }
}

TEST(PoissonOperator, IsSymmetricAndNotNegative) {
  for_problems([](Problem& p) {
    const Exec& exec = serial;
    const PoissonOperator op(exec, p.domain, p.weights);
    Field<float> x = p.random_field<float>(1), y = p.random_field<float>(2);
    Field<double> ax(p.layout), ay(p.layout);
    EXPECT_GE(op.apply(exec, x, ax), 0);
    EXPECT_GE(op.apply(exec, y, ay), 0);
    EXPECT_NEAR(dot(values(p, y), values(p, ax)), dot(values(p, x), values(p, ay)), 1e-5);
  });
}

// The step along a direction must not leave a mean in a residual that has none: in float, plain runs did.
TEST(PoissonSolver, ClosedAndPeriodicBoxesConvergeFarBelowFloat) {
  for (const Side side : {Side::wall, Side::periodic}) {
    Problem p({{0, 0, 0}, {64, 64, 1}}, side, side, side);
    PoissonSolver solver(p.layout);
    solver.prepare(serial, p.domain, p.weights);
    Field<double> b = p.random_field<double>(4), x(p.layout);
    const SolveReport report = solver.solve(serial, {.tolerance = 1e-10}, b, x);
    EXPECT_TRUE(report.converged) << "residual " << report.residual;
    EXPECT_LE(report.iterations, 20);
  }
}

// After five steps the residual of noise is 2e-6 of the first; smoothing, with which the sixth would begin, is enough.
TEST(PoissonSolver, TheLastStepIsOnlySmoothing) {
  Problem p({{0, 0, 0}, {48, 48, 48}}, Side::wall, Side::open, Side::wall);
  PoissonSolver solver(p.layout);
  solver.prepare(serial, p.domain, p.weights);
  Field<double> b = p.random_field<double>(4), x(p.layout);
  const SolveReport report = solver.solve(serial, {.tolerance = 1e-6}, b, x);
  EXPECT_TRUE(report.converged) << "residual " << report.residual;
  EXPECT_LE(report.iterations, 5);
}

TEST(PoissonSolver, SmallRightHandSidesTakeNoMoreIterations) {
  Problem p({{0, 0, 0}, {64, 12, 6}}, Side::open, Side::wall, Side::wall);
  PoissonSolver solver(p.layout);
  solver.prepare(serial, p.domain, p.weights);
  const auto iterations = [&](double scale) {
    Field<double> b = p.random_field<double>(4), x(p.layout);
    for_each(p.domain.cells, [&](Cell c) { b.at(c) *= scale; });
    const SolveReport report = solver.solve(serial, {.tolerance = 1e-6}, b, x);
    EXPECT_TRUE(report.converged) << scale << ": residual " << report.residual;
    return report.iterations;
  };
  EXPECT_EQ(iterations(std::ldexp(1.0, -60)), iterations(1));
  EXPECT_EQ(iterations(std::ldexp(1.0, -80)), iterations(1));
}

// A run's end and the cell beyond it must see the same face.
TEST(PoissonSolver, PlainRunsEndAsTheirNeighboursBegin) {
  Problem p({{0, 0, 0}, {64, 24, 1}}, Side::wall, Side::wall, Side::wall);
  p.set_weights([](int, Cell c) { return c.x > 20 && c.x < 28 && c.y < 15 ? 0.31 + 0.01 * (c.x % 3) : 0.7; });
  PoissonSolver solver(p.layout);
  solver.prepare(serial, p.domain, p.weights);
  Field<double> b = p.random_field<double>(4), x(p.layout);
  const SolveReport report = solver.solve(serial, {.tolerance = 1e-11}, b, x);
  EXPECT_TRUE(report.converged) << "residual " << report.residual;
  EXPECT_LE(report.iterations, 25);
  const std::vector<double> ax = product(p.dense(), values(p, x)), rhs = values(p, b);
  double rest = 0;
  for (std::size_t i = 0; i < ax.size(); ++i) rest += (rhs[i] - ax[i]) * (rhs[i] - ax[i]);
  EXPECT_LE(std::sqrt(rest / dot(rhs, rhs)), 1.1e-11);
}

TEST(PoissonSolver, RemembersNothingOfAnotherDomain) {
  const Box cells{{0, 0, 0}, {40, 24, 1}}, part{{3, 2, 0}, {38, 20, 1}};
  PoissonSolver used(Problem(cells, Side::wall, Side::wall, Side::wall).layout);
  const auto solve = [&](PoissonSolver& solver, const Box& box, Side side) {
    Problem p(cells, side, side, Side::wall);
    p.domain.cells = box;
    solver.prepare(serial, p.domain, p.weights);
    Field<double> b = p.random_field<double>(4), x(p.layout);
    EXPECT_TRUE(solver.solve(serial, {.tolerance = 1e-8}, b, x).converged);
    return values(p, x);
  };
  for (const Box& box : {cells, part})
    for (const Side side : {Side::periodic, Side::open, Side::wall}) {
      if (box != cells && side == Side::wall) continue;  // a wall inside would need weights of zero
      PoissonSolver fresh(Problem(cells, side, side, Side::wall).layout);
      EXPECT_EQ(solve(used, box, side), solve(fresh, box, side));
    }
}

TEST(PoissonSolver, ASolveThatBrokeDownLeavesTheNextOneAlone) {
  Problem p({{0, 0, 0}, {40, 12, 1}}, Side::open, Side::wall, Side::wall);
  for (const Preconditioner kind : {Preconditioner::multigrid, Preconditioner::incomplete_cholesky}) {
    PoissonSolver solver(p.layout, kind);
    solver.prepare(serial, p.domain, p.weights);
    Field<double> too_much = p.random_field<double>(4), b = p.random_field<double>(5), x(p.layout);
    for_each(p.domain.cells, [&](Cell c) { too_much.at(c) *= 1e100; });  // no float holds it
    EXPECT_FALSE(solver.solve(serial, {.tolerance = 1e-6}, too_much, x).converged);
    for (const double value : values(p, x)) ASSERT_TRUE(std::isfinite(value));
    EXPECT_TRUE(solver.solve(serial, {.tolerance = 1e-6}, b, x).converged);
  }
}

TEST(PoissonSolver, AgreesWithADirectSolve) {
  for_problems([](Problem& p) {
    const Exec& exec = serial;
    PoissonSolver solver(p.layout);
    solver.prepare(exec, p.domain, p.weights);
    Field<double> b = p.random_field<double>(4), x(p.layout);
    const SolveReport report = solver.solve(exec, {1e-12, 1000}, b, x);
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.residual, 1e-12);
    EXPECT_NEAR(true_residual(p, b, x), report.residual, 1e-14);
    // b has been made compatible, so the direct solve may use it; answers agree up to a constant on each closed part,
    // which differences across open faces do not see.
    const std::vector<double> exact = solve_dense(p.dense(), values(p, b));
    for (int a = 0; a < 3; ++a)
      for_each(p.domain.faces(a), [&](Cell f) {
        if (p.weights[a](f) == 0) return;
        Cell below = f - unit(a);
        if (p.domain.periodic(a) && below[a] < p.domain.cells.lo[a]) below[a] += p.domain.cells.size()[a];
        const bool has_above = p.domain.cells.contains(f), has_below = p.domain.cells.contains(below);
        const double got = (has_above ? x(f) : 0) - (has_below ? x(below) : 0);
        const double expected =
            (has_above ? exact[std::size_t(p.row(f))] : 0) - (has_below ? exact[std::size_t(p.row(below))] : 0);
        ASSERT_NEAR(got, expected, 1e-8) << a << f;
      });
  });
}

// Half an open wave between two open sides: x_i = sin(k (i + 1/2)), k = pi / n, gives (A x)_i = 4 sin^2(k/2) x_i
// inside.
TEST(PoissonSolver, FindsAnEigenvector) {
  const int n = 24;
  Problem p({{0, 0, 0}, {n, n, 1}}, Side::periodic, Side::periodic, Side::wall);
  const double k = 2 * 3.14159265358979323846 / n, eigenvalue = 4 * std::pow(std::sin(k / 2), 2) * 2;
  Field<double> b(p.layout), x(p.layout);
  for_each(p.domain.cells, [&](Cell c) { b.at(c) = eigenvalue * std::sin(k * c.x) * std::cos(k * c.y); });
  PoissonSolver solver(p.layout);
  solver.prepare(serial, p.domain, p.weights);
  EXPECT_TRUE(solver.solve(serial, {1e-12, 500}, b, x).converged);
  const double shift = x({0, 0, 0});
  for_each(p.domain.cells, [&](Cell c) { ASSERT_NEAR(x(c) - shift, std::sin(k * c.x) * std::cos(k * c.y), 1e-10); });
}

/// A closed box cut in two by a wall at x = 4, each half with an incompatible right-hand side of its own.
Problem two_rooms() {
  Problem p({{-4, 0, 0}, {12, 9, 1}}, Side::wall, Side::wall, Side::wall);
  p.set_weights([](int a, Cell c) { return a == 0 && c.x == 4 ? 0.0 : 1.0; });
  return p;
}

TEST(PoissonSolver, ClosedRoomsAreMadeCompatibleEachByItself) {
  Problem p = two_rooms();
  EXPECT_EQ(NullSpace(serial, PoissonOperator(serial, p.domain, p.weights)).components(), 2);
  PoissonSolver solver(p.layout);
  solver.prepare(serial, p.domain, p.weights);
  Field<double> b = p.random_field<double>(4), x(p.layout);
  for_each(p.domain.cells, [&](Cell c) { b.at(c) += c.x < 4 ? 5 : -2; });
  const Field<double> asked = b;
  const SolveReport report = solver.solve(serial, {1e-10, 500}, b, x);
  EXPECT_TRUE(report.converged);
  EXPECT_LE(true_residual(p, b, x), 1e-10);
  double sum[2] = {0, 0};
  for_each(p.domain.cells, [&](Cell c) { sum[c.x >= 4] += b(c); });
  EXPECT_NEAR(sum[0], 0, 1e-11);
  EXPECT_NEAR(sum[1], 0, 1e-11);
  // Only a constant a room was taken off.
  for_each(p.domain.cells, [&](Cell c) {
    const Cell first = c.x < 4 ? Cell{-4, 0, 0} : Cell{4, 0, 0};
    ASSERT_NEAR(asked(c) - b(c), asked(first) - b(first), 1e-12);
  });
}

// One screened cell holds its room; the other room stays closed, and b is made compatible there and nowhere else.
TEST(PoissonSolver, AScreenHoldsTheRoomItIsIn) {
  Problem p = two_rooms();
  Field<float> screen(p.layout);
  screen.at({6, 3, 0}) = 0.5f;
  EXPECT_EQ(NullSpace(serial, PoissonOperator(serial, p.domain, p.weights, &screen)).components(), 1);
  PoissonSolver solver(p.layout);
  solver.prepare(serial, p.domain, p.weights, &screen);
  Field<double> b = p.random_field<double>(4), x(p.layout);
  for_each(p.domain.cells, [&](Cell c) { b.at(c) += 5; });
  const Field<double> asked = b;
  EXPECT_TRUE(solver.solve(serial, {1e-10, 500}, b, x).converged);
  double closed = 0, changed = 0;
  for_each(p.domain.cells, [&](Cell c) { (c.x < 4 ? closed : changed) += c.x < 4 ? b(c) : std::abs(b(c) - asked(c)); });
  EXPECT_EQ(changed, 0);
  EXPECT_NEAR(closed, 0, 1e-10);
}

TEST(PoissonSolver, NullSpaceOfOpenAndPeriodicDomains) {
  const auto components = [](Problem p) {
    return NullSpace(serial, PoissonOperator(serial, p.domain, p.weights)).components();
  };
  const Box cells{{0, 0, 0}, {8, 8, 8}};
  EXPECT_EQ(components({cells, Side::wall, Side::wall, Side::wall}), 1);
  EXPECT_EQ(components({cells, Side::wall, Side::open, Side::wall}), 0);
  EXPECT_EQ(components({cells, Side::periodic, Side::periodic, Side::periodic}), 1);
  // A sheet of closed faces does not part a periodic box; two do.
  Problem p(cells, Side::periodic, Side::wall, Side::wall);
  p.set_weights([](int a, Cell c) { return a == 0 && c.x == 3 ? 0.0 : 1.0; });
  EXPECT_EQ(components(p), 1);
  p.set_weights([](int a, Cell c) { return a == 0 && (c.x == 3 || c.x == 0) ? 0.0 : 1.0; });
  EXPECT_EQ(components(p), 2);
}

TEST(PoissonSolver, RowsWithoutWeightsStayOut) {
  Problem p({{0, 0, 0}, {10, 10, 1}}, Side::open, Side::open, Side::wall);
  const Cell solid{4, 6, 0};
  p.set_weights([&](int a, Cell c) { return c == solid || c == solid + unit(a) ? 0.0 : 1.0; });
  PoissonSolver solver(p.layout);
  solver.prepare(serial, p.domain, p.weights);
  Field<double> b = p.random_field<double>(4), x(p.layout);
  const SolveReport report = solver.solve(serial, {1e-10, 500}, b, x);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(b(solid), 0);
  EXPECT_EQ(x(solid), 0);
  EXPECT_LE(true_residual(p, b, x), 1e-10);
}

TEST(PoissonSolver, TheReportIsHonestWhenStoppedEarly) {
  Problem p({{0, 0, 0}, {20, 20, 1}}, Side::wall, Side::open, Side::wall);
  PoissonSolver solver(p.layout);
  solver.prepare(serial, p.domain, p.weights);
  for (int most : {0, 1, 3, 7}) {
    Field<double> b = p.random_field<double>(4), x(p.layout);
    const SolveReport report = solver.solve(serial, {1e-10, most}, b, x);
    EXPECT_FALSE(report.converged);
    EXPECT_EQ(report.iterations, most);
    EXPECT_TRUE(finite(x));
    EXPECT_NEAR(report.residual, true_residual(p, b, x), 1e-12);
    EXPECT_GT(report.residual, 1e-10);
    EXPECT_LE(report.residual, most == 0 ? 1 : 0.9);
  }
}

TEST(PoissonSolver, BadNumbersNeverReachTheAnswer) {
  for (Side side : {Side::open, Side::wall})
    for (double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300}) {
      Problem p({{0, 0, 0}, {12, 12, 1}}, side, side, Side::wall);
      PoissonSolver solver(p.layout);
      solver.prepare(serial, p.domain, p.weights);
      Field<double> b = p.random_field<double>(4), x = p.random_field<double>(5);
      b.at({3, 3, 0}) = bad;
      EXPECT_FALSE(solver.solve(serial, {}, b, x).converged);
      EXPECT_TRUE(finite(x));
      // A bad first guess is merely dropped; the solver has not been spoilt.
      b = p.random_field<double>(4);
      x.at({5, 5, 0}) = bad;
      EXPECT_TRUE(solver.solve(serial, {}, b, x).converged);
      EXPECT_TRUE(finite(x));
    }
}

// A drop on a grid so small that it is solved directly: where it was before has no part in where it is now.
TEST(PoissonSolver, CellsThatAreHeldNowAndWereNotBeforeCountAsZero) {
  for (const int n : {8, 24}) {
    Problem p({{0, 0, 0}, {n, n, 1}}, Side::open, Side::open, Side::wall);
    PoissonSolver solver(p.layout);
    Field<unsigned char> held(p.layout);
    const Cell drop{4, 4, 0};
    for (const bool before : {true, false}) {
      for_each(p.domain.cells, [&](Cell c) { held.at(c) = before ? c == drop : !(c == drop); });
      solver.prepare(serial, p.domain, p.weights, nullptr, &held);
      Field<double> b = p.random_field<double>(4), x(p.layout);
      for_each(p.domain.cells, [&](Cell c) { b.at(c) *= held(c) ? 0 : before ? 1 : 1e-12; });
      EXPECT_TRUE(solver.solve(serial, {1e-8, 100}, b, x).converged) << n << (before ? " before" : " now");
    }
  }
}

// Liquid that draws back by a few cells, again and again: rows of cells in use shrink within their units, on every
// level. A solver that has seen it all gives the same bits as one that has seen nothing, and as one that looks at all
// cells.
TEST(PoissonSolver, RemembersNothingOfCellsThatWereInUse) {
  const Box box{{0, 0, 0}, {96, 80, 1}};
  Domain domain;
  domain.lattice.active = {1, 1, 0};
  domain.cells = box;
  for (auto& ends : domain.sides) ends = {Side::open, Side::open};
  const Layout layout = make_layout(box, domain.lattice.active);
  MacField<float> weights(layout);
  for (int a = 0; a < 2; ++a) std::fill_n(weights[a].values().host(), weights[a].values().size(), 1.0f);
  PoissonSolver old(layout);
  for (int step = 0; step < 12; ++step) {
    Field<unsigned char> held(layout);
    Field<double> b(layout);
    for (int y = 0; y < 80; ++y)
      for (int x = 0; x < 96; ++x) {
        const bool liquid = x >= 3 * step && x < 93 - 4 * step && y >= 2 * step && y < 77 - 2 * step;
        held.at({x, y, 0}) = !liquid;
        b.at({x, y, 0}) = liquid ? std::sin(0.3 * x) + std::cos(0.2 * y) : 0;
      }
    const RowSpans rows = cells_without(held, domain.cells);
    Domain wet = domain;
    wet.cells.rows = &rows;
    const auto solved = [&](PoissonSolver& solver, const Domain& in) {
      Field<double> x(layout), right = b;
      solver.prepare(serial, in, weights, nullptr, &held);
      EXPECT_TRUE(solver.solve(serial, {1e-6, 100}, right, x).converged);
      return x;
    };
    PoissonSolver fresh(layout), whole(layout);
    const Field<double> x = solved(old, wet), y = solved(fresh, wet), z = solved(whole, domain);
    for (int j = 0; j < 80; ++j)
      for (int i = 0; i < 96; ++i) {
        ASSERT_EQ(x({i, j, 0}), y({i, j, 0})) << step << " " << i << " " << j;
        ASSERT_EQ(x({i, j, 0}), z({i, j, 0})) << step << " " << i << " " << j;
      }
  }
}

TEST(PoissonSolver, NothingToDoIsDoneAtOnce) {
  Problem p({{0, 0, 0}, {16, 16, 1}}, Side::open, Side::wall, Side::wall);
  PoissonSolver solver(p.layout);
  solver.prepare(serial, p.domain, p.weights);
  Field<double> b(p.layout), x = p.random_field<double>(5);
  SolveReport report = solver.solve(serial, {}, b, x);
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.iterations, 0);
  for_each(p.domain.cells, [&](Cell c) { ASSERT_EQ(x(c), 0); });
  // A warm start from the answer is the answer.
  b = p.random_field<double>(6);
  EXPECT_GT(solver.solve(serial, {1e-8, 500}, b, x).iterations, 5);
  const Field<double> answer = x;
  report = solver.solve(serial, {1e-8, 500}, b, x);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_TRUE(report.converged);
  for_each(p.domain.cells, [&](Cell c) { ASSERT_EQ(x(c), answer(c)); });
}

TEST(PoissonSolver, AnswersScaleWithTheProblem) {
  for (double scale : {1e-12, 1e12}) {
    Problem p({{0, 0, 0}, {16, 16, 1}}, Side::open, Side::wall, Side::wall);
    PoissonSolver solver(p.layout);
    solver.prepare(serial, p.domain, p.weights);
    Field<double> b = p.random_field<double>(6), x(p.layout), scaled = b, y(p.layout);
    for_each(p.domain.cells, [&](Cell c) { scaled.at(c) *= scale; });
    EXPECT_TRUE(solver.solve(serial, {1e-10, 500}, b, x).converged);
    EXPECT_TRUE(solver.solve(serial, {1e-10, 500}, scaled, y).converged);
    for_each(p.domain.cells, [&](Cell c) { ASSERT_NEAR(y(c) / scale, x(c), 1e-8); });
  }
}

TEST(PoissonSolver, FillsTheHaloOfTheAnswer) {
  Problem p({{0, 0, 0}, {8, 8, 1}}, Side::open, Side::periodic, Side::wall);
  PoissonSolver solver(p.layout);
  solver.prepare(serial, p.domain, p.weights);
  Field<double> b = p.random_field<double>(6), x(p.layout);
  solver.solve(serial, {}, b, x);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(x({-1, i, 0}), 0);
    EXPECT_EQ(x({8, i, 0}), 0);
    EXPECT_EQ(x({i, -1, 0}), x({i, 7, 0}));
    EXPECT_EQ(x({i, 8, 0}), x({i, 0, 0}));
  }
}

// Blocks of the preconditioner are 32 cells wide: the domain holds several, in part.
TEST(PoissonSolver, SameBitsForThreadsAndPadding) {
  for (const Box& cells : {Box{{-5, -3, 0}, {40, 36, 1}}, Box{{-5, -5, -5}, {30, 6, 3}}}) {
    const auto run = [&](int threads, int pad) {
      Problem p(cells, Side::periodic, Side::wall, Side::open, pad);
      p.random_weights(0.2);
      PoissonSolver solver(p.layout);
      const Exec exec(Device::cpu, threads, 0);
      solver.prepare(exec, p.domain, p.weights);
      Field<double> b = p.random_field<double>(4), x(p.layout);
      solver.solve(exec, {1e-12, 15}, b, x);
      return x;
    };
    const Field<double> one = run(1, 0);
    for (auto [threads, pad] : {std::pair{2, 0}, {3, 16}, {8, 0}}) {
      const Field<double> other = run(threads, pad);
      for_each(cells, [&](Cell c) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(one(c)), std::bit_cast<std::uint64_t>(other(c))) << c << " " << threads;
      });
    }
  }
}

/// Iterations of plain conjugate gradients, for comparison.
int plain_iterations(Problem& p, Field<double> r, double tolerance) {
  const Exec& exec = serial;
  const PoissonOperator op(exec, p.domain, p.weights);
  Field<float> s(p.layout);
  Field<double> as(p.layout);
  std::vector<double> rest = values(p, r);
  const double stop = tolerance * std::sqrt(dot(rest, rest));
  double rr = dot(rest, rest);
  int n = 0;
  for_each(p.domain.cells, [&](Cell c) { s.at(c) = float(r(c)); });
  for (; n < 1000 && std::sqrt(rr) > stop; ++n) {
    const double alpha = rr / op.apply(exec, s, as);
    double next = 0;
    for_each(p.domain.cells, [&](Cell c) { r.at(c) -= alpha * as(c), next += r(c) * r(c); });
    for_each(p.domain.cells, [&](Cell c) { s.at(c) = float(r(c) + next / rr * s(c)); });
    rr = next;
  }
  return n;
}

TEST(MicPreconditioner, SavesIterations) {
  for (auto [n, most] : {std::pair{32, 30}, {64, 70}}) {  // one block; four, with the couplings between them dropped
    Problem p({{0, 0, 0}, {n, n, 1}}, Side::wall, Side::open, Side::wall);
    PoissonSolver solver(p.layout);
    solver.prepare(serial, p.domain, p.weights);
    Field<double> b = p.random_field<double>(8), x(p.layout);
    const SolveReport report = solver.solve(serial, {1e-6, 500}, b, x);
    EXPECT_TRUE(report.converged);
    EXPECT_LT(report.iterations, most) << n;
    EXPECT_LT(2 * report.iterations, plain_iterations(p, b, 1e-6)) << n;
  }
}

// Conjugate gradients need a symmetric positive preconditioner: y . M^-1 x = x . M^-1 y.
TEST(MicPreconditioner, IsSymmetricAndPositive) {
  Problem p({{-7, 0, 0}, {40, 35, 3}}, Side::open, Side::periodic, Side::wall);
  p.random_weights(0.3);
  const Exec& exec = serial;
  const PoissonOperator op(exec, p.domain, p.weights);
  const MicPreconditioner mic(exec, op);
  Field<double> x = p.random_field<double>(1), y = p.random_field<double>(2);
  Field<float> mx(p.layout), my(p.layout);
  mic.apply(exec, x, mx);
  mic.apply(exec, y, my);
  const double xmx = dot(values(p, x), values(p, mx)), ymy = dot(values(p, y), values(p, my));
  EXPECT_GT(xmx, 0);
  EXPECT_GT(ymy, 0);
  EXPECT_NEAR(dot(values(p, y), values(p, mx)), dot(values(p, x), values(p, my)), 1e-5 * std::sqrt(xmx * ymy));
}

}  // namespace
}  // namespace silt

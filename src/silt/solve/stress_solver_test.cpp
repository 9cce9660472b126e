#include "silt/solve/stress_solver.h"

#include <gtest/gtest.h>

#include "silt/fields/halo.h"
#include "silt/solve/cone_solver.h"
#include "silt/solve/sample_heap.h"
#include "silt/solve/sample_qps.h"

namespace silt {
namespace {

using test::for_each;
using test::noise;

const Exec serial(Device::cpu, 1);

/// A heap whose velocities and stresses are random.
struct RandomHeap : SampleHeap {
  StressSolver solver;
  MacField<double> u;
  StressField x, strain;

  RandomHeap(int n, int dims) : SampleHeap(n, dims), u(layout), x(layout), strain(layout) {
    for (int a = 0; a < dims; ++a) for_each(domain.faces(a), [&](Cell c) { u[a].at(c) = noise(3 + a, c); });
    for (int k = 0; k < x.size(); ++k)
      for_each(domain.cells, [&](Cell c) { x[k].at(c) = has_grains(c) ? noise(9 + k, c) : 0; });
    solver.prepare(serial, domain, parts());
    solver.strain(serial, u, strain);
  }
};

// What D takes from velocities its transpose gives back: x . D u = - u . M push, for faces that have a mass.
TEST(Stress, PushesWithTheTransposeOfTheStrain) {
  for (int dims : {2, 3}) {
    RandomHeap heap(8, dims);
    for (int a = 0; a < dims; ++a)
      for_each(heap.domain.faces(a), [&](Cell c) {
        if (heap.inverse_mass[a](c) == 0) heap.u[a].at(c) = 0;
      });
    heap.solver.strain(serial, heap.u, heap.strain);
    MacField<double> push(heap.layout);
    heap.solver.push(serial, heap.x, push);
    double power = 0;
    for (int a = 0; a < dims; ++a)
      for_each(heap.domain.faces(a), [&](Cell c) {
        if (heap.inverse_mass[a](c) > 0) power -= heap.u[a](c) * push[a](c) / heap.inverse_mass[a](c);
      });
    const double expected = dot(heap.domain.cells, heap.x, heap.strain);
    EXPECT_GT(std::abs(expected), 0.1);
    EXPECT_NEAR(power, expected, 1e-12 * std::abs(expected) + 1e-12);
  }
}

// A linear flow has the same rate of strain everywhere inside; a rigid turn has none.
TEST(Stress, StrainOfALinearFlow) {
  for (int dims : {2, 3}) {
    RandomHeap heap(16, dims);
    const double g[3][3] = {{0.3, -1.1, dims > 2 ? 0.7 : 0}, {0.4, 0.9, dims > 2 ? -0.2 : 0}, {1.3, 0.5, -0.6}};
    for (int a = 0; a < dims; ++a)
      for_each(heap.domain.faces(a), [&](Cell c) {
        const Vec3d x = heap.domain.lattice.face_centre(a, c);
        heap.u[a].at(c) = g[a][0] * x.x + g[a][1] * x.y + (dims > 2 ? g[a][2] * x.z : 0);
      });
    heap.solver.strain(serial, heap.u, heap.strain);
    const double h = heap.domain.lattice.h, half = std::sqrt(0.5);
    const double trace = g[0][0] + g[1][1] + (dims > 2 ? g[2][2] : 0);
    const double expected[2][6] = {
        {-trace, half * (g[0][0] - g[1][1]), half * (g[0][1] + g[1][0])},
        {-trace, half * (g[0][0] - g[1][1]), (g[0][0] + g[1][1] - 2 * g[2][2]) / std::sqrt(6.0),
         half * (g[1][2] + g[2][1]), half * (g[2][0] + g[0][2]), half * (g[0][1] + g[1][0])}};
    const Cell inside{6, 4, dims > 2 ? 8 : 0};
    for (int k = 0; k < heap.x.size(); ++k) EXPECT_NEAR(heap.strain[k](inside), h * expected[dims - 2][k], 1e-14) << k;
    EXPECT_EQ(heap.strain[0]({0, 4, 0}), 0);  // no grains
  }
}

// Sand that slides along the floor is sheared by a rough wall alone: by half of u / (2 h), the mean of a cell's edges.
TEST(Stress, OnlyRoughWallsHoldWhatSlidesAlongThem) {
  for (const auto& [side, rough] : {std::pair{Side::wall, true}, {Side::wall, false}, {Side::open, true}}) {
    SampleHeap heap(8, 2);
    heap.domain.sides[1][0] = side;
    MacField<double> u(heap.layout);
    for_each(heap.domain.faces(0), [&](Cell c) { u[0].at(c) = 1; });
    StressParts parts = heap.parts();
    parts.rough_walls = rough;
    StressSolver solver;
    StressField strain(heap.layout);
    solver.prepare(serial, heap.domain, parts);
    solver.strain(serial, u, strain);
    const bool held = side == Side::wall && rough;
    EXPECT_NEAR(strain[2]({3, 0, 0}), held ? std::sqrt(2.0) / 4 : 0, 1e-14);
    EXPECT_EQ(strain[2]({3, 1, 0}), 0);
  }
}

// Where a ring is cut does not matter: the same sand, shifted round a periodic side, has the same stress, shifted.
TEST(StressSolver, PeriodicSidesHaveNoSeam) {
  constexpr int n = 8;
  const SampleHeap still(n, 2);
  StressField answer[2];
  int iterations[2];
  for (int i = 0; i < 2; ++i) {
    const int shift = 5 * i;
    SampleHeap heap(n, 2);
    heap.domain.sides[0] = {Side::periodic, Side::periodic};
    // A layer with a notch, so that there is sand at every seam.
    const auto from = [&](Cell c) { return Cell{(c.x - shift + n) % n, c.y, 0}; };
    const auto grains = [&](Cell c) { return c.y < 4 && !(c.y == 3 && from(c).x == 2); };
    for_each(heap.domain.cells, [&](Cell c) { heap.friction.at(c) = grains(c) ? 0.8f : 0.0f; });
    for (int a = 0; a < 2; ++a) {
      for_each(heap.domain.faces(a), [&](Cell c) {
        Cell below = c - unit(a);
        if (a == 0) below.x = (below.x + n) % n;
        const bool wall = a == 1 && (c.y == 0 || c.y == n);
        const double mass = wall ? 0 : 0.5 * (grains(c) + grains(below));
        heap.inverse_mass[a].at(c) = mass > 0 ? float(1 / mass) : 0.0f;
        heap.falling[a].at(c) = mass > 0 ? noise(3 + a, from(c)) - a : 0;
      });
      const HaloRule zero{.open_repeats = false, .open_value = 0};
      fill_halo(serial, heap.domain, heap.domain.faces(a), zero, heap.inverse_mass[a]);
      Domain ring = heap.domain;
      ring.sides[1] = {Side::open, Side::open};
      fill_halo(serial, ring, ring.faces(a), zero, heap.falling[a]);
    }
    StressSolver solver;
    StressField b(heap.layout);
    answer[i] = StressField(heap.layout);
    solver.prepare(serial, heap.domain, heap.parts());
    solver.strain(serial, heap.falling, b);
    const ConeReport report = solver.solve(serial, {1e-4, 10000}, b, answer[i]);
    EXPECT_TRUE(report.converged);
    iterations[i] = report.iterations;
  }
  EXPECT_NEAR(iterations[0], iterations[1], 1);
  double size = 0;
  for (int k = 0; k < 3; ++k)
    for_each(still.domain.cells, [&](Cell c) {
      ASSERT_NEAR(answer[1][k]({(c.x + 5) % n, c.y, 0}), answer[0][k](c), 1e-6) << k << c;
      size = std::max(size, std::abs(answer[0][k](c)));
    });
  EXPECT_GT(size, 0.5);
}

/// The same program with a matrix: A by its columns.
SampleConeQp assemble(const SampleHeap& heap, StressSolver& solver, const StressField& b, std::vector<Cell>& cells) {
  for_each(heap.domain.cells, [&](Cell c) {
    if (heap.has_grains(c)) cells.push_back(c);
  });
  const std::size_t size = std::size_t(b.size()), n = cells.size() * size;
  SampleConeQp qp{std::vector<double>(n * n), std::vector<double>(n), std::vector<int>(cells.size(), b.size()),
                  std::vector<Cone>(cells.size(), Cone{.friction = heap.friction(cells[0])})};
  StressField x(heap.layout), ax(heap.layout);
  for (std::size_t j = 0; j < n; ++j) {
    double& one = x[int(j % size)].at(cells[j / size]);
    one = 1;
    MacField<double> u(heap.layout);
    solver.push(serial, x, u);
    solver.strain(serial, u, ax);  // -A x
    one = 0;
    for (std::size_t i = 0; i < n; ++i) qp.a[i * n + j] = -ax[int(i % size)](cells[i / size]);
    qp.b[j] = b[int(j % size)](cells[j / size]);
  }
  return qp;
}

double energy(const SampleConeQp& qp, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum -= qp.b[i] * x[i];
    for (std::size_t j = 0; j < x.size(); ++j) sum += 0.5 * x[i] * qp.a[i * x.size() + j] * x[j];
  }
  return sum;
}

// Against the dense solver and an interior-point method. Several stresses may do the same: the least energy is one.
TEST(StressSolver, AgreesWithTheDenseSolver) {
  for (auto [n, dims] : {std::pair{6, 2}, std::pair{8, 2}, std::pair{4, 3}}) {
    const SampleHeap heap(n, dims);
    StressSolver solver;
    StressField b(heap.layout), x(heap.layout);
    solver.prepare(serial, heap.domain, heap.parts());
    solver.strain(serial, heap.falling, b);
    const ConeReport report = solver.solve(serial, {1e-10, 100000}, b, x);
    EXPECT_TRUE(report.converged) << report.kkt;
    EXPECT_GT(report.on_side, 0);

    std::vector<Cell> cells;
    const SampleConeQp qp = assemble(heap, solver, b, cells);
    for (std::size_t i = 0; i < qp.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) ASSERT_NEAR(qp.a[i * qp.size() + j], qp.a[j * qp.size() + i], 1e-14);
    std::vector<double> found, dense(qp.size());
    for (Cell c : cells)
      for (int k = 0; k < x.size(); ++k) found.push_back(x[k](c));
    DenseConeForm form = qp.form();
    ConeSolver<DenseConeForm>(form).solve(form, {1e-10, 100000}, dense);
    const double least = energy(qp, solve_by_interior_points(qp));
    EXPECT_LT(least, -0.1);
    EXPECT_NEAR(energy(qp, found), least, 1e-9 * std::abs(least));
    EXPECT_NEAR(energy(qp, dense), least, 1e-9 * std::abs(least));
  }
}

TEST(StressSolver, SameBitsForAnyThreads) {
  const SampleHeap heap(12, 3);
  StressField answer[2];
  int iterations[2];
  for (int i = 0; i < 2; ++i) {
    const Exec exec(Device::cpu, 1 + 2 * i, 0);
    StressSolver solver;
    StressField b(heap.layout);
    answer[i] = StressField(heap.layout);
    solver.prepare(exec, heap.domain, heap.parts());
    solver.strain(exec, heap.falling, b);
    iterations[i] = solver.solve(exec, {1e-4, 500}, b, answer[i]).iterations;
  }
  EXPECT_EQ(iterations[0], iterations[1]);
  for (int k = 0; k < answer[0].size(); ++k)
    for_each(heap.domain.cells, [&](Cell c) { ASSERT_EQ(answer[0][k](c), answer[1][k](c)); });
}

TEST(StressSolver, WarmStartsAndBadNumbers) {
  const SampleHeap heap(10, 2);
  StressSolver solver;
  StressField b(heap.layout), x(heap.layout);
  solver.prepare(serial, heap.domain, heap.parts());
  solver.strain(serial, heap.falling, b);
  const ConeReport cold = solver.solve(serial, {1e-6, 10000}, b, x);
  EXPECT_TRUE(cold.converged);
  EXPECT_EQ(solver.solve(serial, {1.01e-6, 10000}, b, x).iterations, 0);
  x[0].at({4, 2, 0}) = std::nan("");
  x[2].at({5, 1, 0}) = 1e200;
  EXPECT_TRUE(solver.solve(serial, {1e-6, 10000}, b, x).converged);
  b[1].at({4, 2, 0}) = std::nan("");
  EXPECT_FALSE(solver.solve(serial, {1e-6, 10000}, b, x).converged);
  for (int k = 0; k < x.size(); ++k) for_each(heap.domain.cells, [&](Cell c) { ASSERT_TRUE(std::isfinite(x[k](c))); });
}

// Sand squeezed on all sides by faces that cannot give way resists nothing: there is no end to its pressure.
TEST(StressSolver, SaysWhenThereIsNoMinimum) {
  SampleHeap heap(10, 2);
  for (int a = 0; a < 2; ++a) for_each(heap.domain.faces(a), [&](Cell c) { heap.inverse_mass[a].at(c) = 0; });
  StressSolver solver;
  StressField b(heap.layout), x(heap.layout);
  solver.prepare(serial, heap.domain, heap.parts());
  for_each(heap.domain.cells, [&](Cell c) { b[0].at(c) = heap.has_grains(c) ? 0.1 : 0; });
  const ConeReport report = solver.solve(serial, {1e-6, 10000}, b, x);
  EXPECT_TRUE(report.infeasible);
  EXPECT_FALSE(report.converged);
  EXPECT_LT(report.iterations, 1000);
  for_each(heap.domain.cells, [&](Cell c) { ASSERT_TRUE(std::isfinite(x[0](c))); });
}

}  // namespace
}  // namespace silt

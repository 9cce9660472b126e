#include "silt/fields/exterior_derivative.h"

#include <gtest/gtest.h>

#include "silt/fields/halo.h"
#include "silt/fields/test_tools.h"

namespace silt {
namespace {

const Exec serial(Device::cpu, 1);

using test::for_each;

/// Whole numbers up to a million: their sums and differences are exact.
double whole(std::uint64_t seed, Cell c) {
  return std::floor(1e6 * test::noise(seed, c));
}

/// A random box in 1D, 2D and 3D by turns; all sides alike.
struct Complex {
  Domain domain;
  Layout layout;

  explicit Complex(unsigned number) {
    const int dims = 1 + int(number % 3);
    const auto random = [&](unsigned n) { return random_unit(51, number, n); };
    domain.lattice.active = {1, dims > 1, dims > 2};
    for (int a = 0; a < 3; ++a) {
      const int lo = a < dims ? int(20 * random(2 * unsigned(a))) - 10 : 0;
      domain.cells.lo[a] = lo;
      domain.cells.hi[a] = lo + (a < dims ? 1 + int(12 * random(2 * unsigned(a) + 1)) : 1);
      domain.sides[a] = {Side::wall, Side::wall};
    }
    layout = make_layout(domain.cells, domain.lattice.active);
  }
  template <class T = double>
  Field<T> field(const Box& where, std::uint64_t seed) const {
    Field<T> f(layout);
    for_each(where, [&](Cell c) { f.at(c) = T(whole(seed, c)); });
    return f;
  }
  MacField<double> edges(std::uint64_t seed) const {
    MacField<double> e(layout);
    for (int a = 0; a < 3; ++a) e[a] = field(domain.edges(a), seed + unsigned(a));
    return e;
  }
  MacField<double> faces(std::uint64_t seed) const {
    MacField<double> f(layout);
    for (int a = 0; a < 3; ++a) f[a] = field(domain.faces(a), seed + unsigned(a));
    return f;
  }
};

constexpr unsigned boxes = 60;

TEST(ExteriorDerivative, TwiceIsNothingFromCornersToFaces) {
  for (unsigned number = 0; number < boxes; ++number) {
    const Complex k(number);
    MacField<double> edges(k.layout), faces(k.layout);
    d_corners(serial, k.domain, k.field(k.domain.corners(), 1), edges);
    d_edges(serial, k.domain, edges, faces);
    const MacView<const double> e = edges.read(serial);
    const ByIndex<double> by[3] = {{e.x.data}, {e.y.data}, {e.z.data}};
    double size = 0;
    for (int a = 0; a < 3; ++a) {
      for_each(k.domain.faces(a), [&](Cell c) { ASSERT_EQ(faces[a](c), 0) << number << c; });
      // A flat axis has no faces, but the square between the edges of a plane lies across it.
      for_each(k.domain.cells, [&](Cell c) {
        ASSERT_EQ(Derivative(k.layout).round(by, a, k.layout.index(c)), 0) << number << c;
        size = std::max(size, std::abs(edges[a](c)));
      });
    }
    EXPECT_GT(size, 0);
  }
}

TEST(ExteriorDerivative, TwiceIsNothingFromEdgesToCells) {
  for (unsigned number = 0; number < boxes; ++number) {
    const Complex k(number);
    MacField<double> faces(k.layout);
    Field<double> cells(k.layout);
    d_edges(serial, k.domain, k.edges(2), faces);
    d_faces(serial, k.domain, faces, cells);
    double size = 0;
    for_each(k.domain.cells, [&](Cell c) {
      ASSERT_EQ(cells(c), 0) << number << c;
      size = std::max(size, std::abs(faces[0](c)));
    });
    EXPECT_EQ(size > 0, k.layout.active.y) << number;  // on a line nothing goes round anything
  }
}

// With q = 0 beyond the boundary: sum over cells of q d u = - sum over faces of u d q.
TEST(ExteriorDerivative, TheDualIsMinusTheTranspose) {
  for (unsigned number = 0; number < boxes; ++number) {
    const Complex k(number);
    const Field<double> q = k.field(k.domain.cells, 5);
    const MacField<double> u = k.faces(6);
    MacField<double> dq(k.layout);
    Field<double> du(k.layout);
    d_cells(serial, k.domain, q, dq);
    d_faces(serial, k.domain, u, du);
    long double over_cells = 0, over_faces = 0;  // whole numbers below 2^64
    for_each(k.domain.cells, [&](Cell c) { over_cells += (long double)q(c) * du(c); });
    for (int a = 0; a < 3; ++a)
      for_each(k.domain.faces(a), [&](Cell c) { over_faces += (long double)u[a](c) * dq[a](c); });
    EXPECT_EQ(over_cells, -over_faces) << number;
    EXPECT_NE(over_cells, 0);
  }
}

// A float's whole numbers are exact too, and the answer is the same.
TEST(ExteriorDerivative, FloatsAndDoublesAgree) {
  for (unsigned number = 0; number < boxes; ++number) {
    const Complex k(number);
    MacField<float> narrow(k.layout);
    MacField<double> wide(k.layout);
    d_cells(serial, k.domain, k.field<float>(k.domain.cells, 5), narrow);
    d_cells(Exec(Device::cpu, 3, 0), k.domain, k.field(k.domain.cells, 5), wide);
    for (int a = 0; a < 3; ++a) for_each(k.domain.faces(a), [&](Cell c) { ASSERT_EQ(narrow[a](c), wide[a](c)); });
  }
}

}  // namespace
}  // namespace silt

#include "bench/box_system.h"

#include <algorithm>
#include <limits>

#include "silt/fields/halo.h"

namespace silt::bench {

namespace {

/// Calls f(A x, i, j, k) for each cell.
template <class F>
void for_each_product(const BoxProblem& box, const std::vector<double>& x, const F& f) {
  const std::int64_t strides[3] = {1, box.n, std::int64_t(box.n) * box.n};
  for (int k = 0; k < box.n; ++k)
    for (int j = 0; j < box.n; ++j)
      for (int i = 0; i < box.n; ++i) {
        const std::int64_t row = box.row(i, j, k);
        double ax = box.diagonal(i, j, k) * x[std::size_t(row)];
        box.for_each_neighbour(i, j, k, [&](int axis, int step) { ax -= x[std::size_t(row + step * strides[axis])]; });
        f(ax, i, j, k);
      }
}

}  // namespace

BoxSystem::BoxSystem(const Exec& exec, const BoxProblem& problem) : box(problem) {
  const int n = box.n;
  domain.cells = {{0, 0, 0}, {n, n, n}};
  domain.sides[2][1] = Side::open;
  layout = make_layout(domain.cells, domain.lattice.active);
  weights = MacField<float>(layout);
  for (int axis = 0; axis < 3; ++axis) {
    const Box faces = domain.faces(axis);
    Box open = faces;
    open.lo[axis] += domain.side(axis, 0) == Side::wall;
    open.hi[axis] -= domain.side(axis, 1) == Side::wall;
    for (int k = open.lo.z; k < open.hi.z; ++k)
      for (int j = open.lo.y; j < open.hi.y; ++j)
        for (int i = open.lo.x; i < open.hi.x; ++i) weights[axis].at({i, j, k}) = 1;
    fill_halo(exec, domain, faces, {}, weights[axis]);
  }
}

std::vector<double> BoxSystem::values(const Field<double>& f) const {
  std::vector<double> out;
  out.reserve(std::size_t(box.cells()));
  for (int k = 0; k < box.n; ++k)
    for (int j = 0; j < box.n; ++j)
      for (int i = 0; i < box.n; ++i) out.push_back(f({i, j, k}));
  return out;
}

double residual(const BoxProblem& box, Load load, const std::vector<double>& x) {
  double r2 = 0, b2 = 0;
  for_each_product(box, x, [&](double ax, int i, int j, int k) {
    const double b = box.load(load, i, j, k);
    r2 += (b - ax) * (b - ax);
    b2 += b * b;
  });
  return std::sqrt(r2 / b2);
}

Complementarity complementarity(const BoxProblem& box, Load load, const std::vector<double>& x) {
  Complementarity out;
  double g2 = 0, b2 = 0;
  for_each_product(box, x, [&](double ax, int i, int j, int k) {
    const double b = box.bounded_load(load, i, j, k), at = x[std::size_t(box.row(i, j, k))];
    const double g = at > 0 ? ax - b : at == 0 ? std::min(ax - b, 0.0) : std::numeric_limits<double>::infinity();
    out.active += at == 0;
    g2 += g * g;
    b2 += b * b;
  });
  out.kkt = std::sqrt(g2 / b2);
  return out;
}

}  // namespace silt::bench

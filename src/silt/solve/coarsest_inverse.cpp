#include "silt/solve/coarsest_inverse.h"

#include <cmath>
#include <map>

namespace silt {

namespace {

/// A symmetric matrix, row by row.
struct Dense {
  std::size_t n;
  std::vector<double> a;
  explicit Dense(std::size_t size) : n(size), a(size * size, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return a[i * n + j]; }
  double operator()(std::size_t i, std::size_t j) const { return a[i * n + j]; }
};

Dense assemble(const Level& level, const std::vector<int>& unknown) {
  std::map<int, std::size_t> position;
  for (std::size_t n = 0; n < unknown.size(); ++n) position[unknown[n]] = n;
  Dense m(unknown.size());
  const auto couple = [&](int i, int j, double w) {
    const auto a = position.find(i), b = position.find(j);
    if (w > 0 && a != position.end() && b != position.end() && a != b) m(a->second, b->second) -= w;
  };
  const float* inverse = level.inverse.values().host();
  for (std::size_t n = 0; n < unknown.size(); ++n) m(n, n) = 1 / double(inverse[unknown[n]]);
  for (int a = 0; a < 3; ++a) {
    const float* w = level.weights()[a].values().host();
    const Box faces = level.domain.faces(a);
    for (int z = faces.lo.z; z < faces.hi.z; ++z)
      for (int y = faces.lo.y; y < faces.hi.y; ++y)
        for (int x = faces.lo.x; x < faces.hi.x; ++x) {
          const Cell above{x, y, z};
          Cell below = above - unit(a);
          if (level.periodic(a) && below[a] < level.domain.cells.lo[a]) below[a] += level.domain.cells.size()[a];
          if (!level.domain.cells.contains(above) || !level.domain.cells.contains(below)) continue;
          const int i = level.lattice.index(above), j = level.lattice.index(below);
          couple(i, j, w[i]), couple(j, i, w[i]);
        }
  }
  const Links& links = level.links;
  for (int r = 0; r < links.rows(); ++r)
    for (int n = links.start.host()[r]; n < links.start.host()[r + 1]; ++n)
      couple(links.row.host()[r], links.to.host()[n], links.weight.host()[n]);
  return m;
}

/// Whether the row's value is tied to zero, as far as one can tell from weights in float.
bool is_held(const Dense& m, std::size_t row) {
  double sum = 0;
  for (std::size_t j = 0; j < m.n; ++j) sum += m(row, j);
  return sum > 1e-5 * m(row, row);
}

/// Makes a matrix that is singular on a closed part regular there: a constant costs what its mean diagonal costs.
void hold_constants(Dense& m) {
  std::vector<char> seen(m.n, 0);
  for (std::size_t seed = 0; seed < m.n; ++seed) {
    if (seen[seed]) continue;
    std::vector<std::size_t> part{seed};
    seen[seed] = 1;
    bool held = false;
    for (std::size_t n = 0; n < part.size(); ++n) {
      held = held || is_held(m, part[n]);
      for (std::size_t j = 0; j < m.n; ++j)
        if (!seen[j] && m(part[n], j) < 0) seen[j] = 1, part.push_back(j);
    }
    if (held) continue;
    double mean = 0;
    for (std::size_t i : part) mean += m(i, i) / double(part.size());
    for (std::size_t i : part)
      for (std::size_t j : part) m(i, j) += mean / double(part.size());
  }
}

/// In place: the lower triangle L of m = L L^T.
void factor(Dense& m) {
  for (std::size_t j = 0; j < m.n; ++j) {
    double d = m(j, j);
    for (std::size_t k = 0; k < j; ++k) d -= m(j, k) * m(j, k);
    m(j, j) = std::sqrt(std::max(d, 1e-12 * m(j, j)));
    for (std::size_t i = j + 1; i < m.n; ++i) {
      double s = m(i, j);
      for (std::size_t k = 0; k < j; ++k) s -= m(i, k) * m(j, k);
      m(i, j) = s / m(j, j);
    }
  }
}

}  // namespace

std::vector<int> unknowns_of(const Level& level) {
  std::vector<int> list;
  const float* inverse = level.inverse.values().host();
  const Box& cells = level.domain.cells;
  for (int z = cells.lo.z; z < cells.hi.z; ++z)
    for (int y = cells.lo.y; y < cells.hi.y; ++y)
      for (int x = cells.lo.x; x < cells.hi.x; ++x)
        if (inverse[level.lattice.index(x, y, z)] > 0) list.push_back(level.lattice.index(x, y, z));
  for (std::size_t n = 0; n < level.home.size(); ++n)
    if (inverse[int(level.lattice.size) + int(n)] > 0) list.push_back(int(level.lattice.size) + int(n));
  return list;
}

std::vector<double> inverse_of(const Level& level, const std::vector<int>& unknown) {
  Dense m = assemble(level, unknown);
  hold_constants(m);
  factor(m);
  Dense inverse(m.n);
  std::vector<double> y(m.n);
  for (std::size_t column = 0; column < m.n; ++column) {
    for (std::size_t i = 0; i < m.n; ++i) {
      double s = i == column ? 1 : 0;
      for (std::size_t k = column; k < i; ++k) s -= m(i, k) * y[k];
      y[i] = i < column ? 0 : s / m(i, i);
    }
    for (std::size_t i = m.n; i-- > 0;) {
      double s = y[i];
      for (std::size_t k = i + 1; k < m.n; ++k) s -= m(k, i) * inverse(k, column);
      inverse(i, column) = s / m(i, i);
    }
  }
  return inverse.a;
}

}  // namespace silt

#pragma once

// Shared by the tests of this room and by experiments.

#include <vector>

#include "silt/fields/halo.h"
#include "silt/fields/test_tools.h"

namespace silt::test {

/// One thread, where threads are not the matter: teams that wait for each other are slow on a busy machine.
inline const Exec serial(Device::cpu, 1);

inline constexpr Side sides[] = {Side::wall, Side::open, Side::periodic};

/// A Poisson problem: a domain and the weights of its faces.
struct PoissonProblem {
  Domain domain;
  Layout layout;
  MacField<float> weights;

  PoissonProblem(const Box& cells, Side x, Side y, Side z, int pad = 0) {
    const Int3 n = cells.size(), active{1, n.y > 1, n.z > 1};
    domain = {{{}, 1, active}, cells, {{{x, x}, {y, y}, {z, z}}}};
    layout = make_layout(cells, active, default_halo, pad);
    weights = MacField<float>(layout);
    set_weights([](int, Cell) { return 1.0; });
  }
  template <class Weight>
  void set_weights(const Weight& weight) {
    for (int a = 0; a < 3; ++a) {
      const Box faces = domain.faces(a);
      for_each(faces, [&](Cell c) {
        const bool wall = (c[a] == faces.lo[a] && domain.side(a, 0) == Side::wall) ||
                          (c[a] == faces.hi[a] - 1 && domain.side(a, 1) == Side::wall);
        weights[a].at(c) = wall ? 0.0f : float(weight(a, c));
      });
      fill_halo(serial, domain, faces, {}, weights[a]);
    }
  }
  /// Between 0 and 1; `closed` of them are 0.
  void random_weights(double closed) {
    set_weights([=](int a, Cell c) {
      const double u = 0.5 * (noise(7 + a, c) + 1);
      return u < closed ? 0.0 : u;
    });
  }
  template <class T>
  Field<T> random_field(std::uint64_t seed) const {
    Field<T> f(layout);
    for_each(domain.cells, [&](Cell c) { f.at(c) = T(noise(seed, c)); });
    return f;
  }

  int rows() const { return int(domain.cells.count()); }
  int row(Cell c) const {
    const Int3 n = domain.cells.size(), d = c - domain.cells.lo;
    return (d.z * n.y + d.y) * n.x + d.x;
  }
  /// The matrix, assembled face by face from the definition.
  std::vector<double> dense() const {
    const int n = rows();
    std::vector<double> m(std::size_t(n) * n, 0.0);
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell f) {
        const double w = weights[a](f);
        Cell above = f, below = f - unit(a);
        if (domain.periodic(a) && below[a] < domain.cells.lo[a]) below[a] += domain.cells.size()[a];
        const bool has_above = domain.cells.contains(above), has_below = domain.cells.contains(below);
        if (has_above) m[std::size_t(row(above)) * n + row(above)] += w;
        if (has_below) m[std::size_t(row(below)) * n + row(below)] += w;
        if (has_above && has_below) {
          m[std::size_t(row(above)) * n + row(below)] -= w;
          m[std::size_t(row(below)) * n + row(above)] -= w;
        }
      });
    return m;
  }
};

inline std::vector<double> product(const std::vector<double>& m, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += m[i * x.size() + j] * x[j];
  return y;
}

template <class T>
std::vector<double> values(const PoissonProblem& p, const Field<T>& f) {
  std::vector<double> v(std::size_t(p.rows()));
  for_each(p.domain.cells, [&](Cell c) { v[std::size_t(p.row(c))] = f(c); });
  return v;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return double(sum);
}

}  // namespace silt::test

#pragma once

// Shared by the tests of StrainSystem and of its multigrid.

#include <cmath>
#include <vector>

#include "silt/fields/wrap.h"
#include "silt/solve/poisson_problem.h"
#include "silt/solve/strain_system.h"

namespace silt::test {

/// One square of the energy that a StrainSystem is the second derivative of: k (sum of weight x)^2, over numbers of
/// unknowns.
struct StrainTerm {
  double k;
  std::vector<std::pair<int, double>> weights;
};

/// A domain with the coefficients of a StrainSystem.
struct SampleStrain {
  Domain domain;
  Layout layout;
  StrainSystem system;

  /// `cells` one thick in z are a plane.
  SampleStrain(const Box& cells, Side x, Side y, Side z, int pad = 0) {
    const Int3 n = cells.size(), active{1, 1, n.z > 1};
    domain = {{{}, 1, active}, cells, {{{x, x}, {y, y}, {z, z}}}};
    layout = make_layout(cells, active, default_halo, pad);
    system = StrainSystem(layout);
    system.domain = domain;
  }

  bool is_wall(int a, Cell face) const {
    const Cells faces = domain.faces(a);
    return !domain.periodic(a) && (face[a] == faces.lo[a] || face[a] == faces.hi[a] - 1);
  }
  /// Edges along c as they are, each counted once.
  Box edges(int c) const {
    Box out = domain.edges(c);
    for (int a = 0; a < 3; ++a)
      if (domain.lattice.active[a] && domain.periodic(a)) out.hi[a] = domain.cells.hi[a];
    return out;
  }
  bool has_edges(int c) const { return domain.lattice.active[(c + 1) % 3] && domain.lattice.active[(c + 2) % 3]; }

  /// The same everywhere, but for walls, whose faces are no unknowns and which nothing rubs against.
  void set_all(double mass, double squeeze, double stretch, double shear, StrainSystem& out) const {
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) {
        out.mass[a].at(c) = is_wall(a, c) ? 0.0f : float(mass);
        out.open[a].at(c) = is_wall(a, c) ? 0.0f : 1.0f;
      });
    for_each(domain.cells, [&](Cell c) { out.squeeze.at(c) = float(squeeze), out.stretch.at(c) = float(stretch); });
    for (int c = 0; c < 3; ++c) {
      if (!has_edges(c)) continue;
      for_each(edges(c), [&](Cell e) {
        bool on_wall = false;
        for (int a : {(c + 1) % 3, (c + 2) % 3})
          on_wall |= !domain.periodic(a) && (e[a] == domain.cells.lo[a] || e[a] == domain.cells.hi[a]);
        out.shear[c].at(e) = on_wall ? 0.0f : float(shear);
      });
    }
    wrap(out);
  }
  /// A part of the faces, chosen at random, is held; some cells resist nothing; half-open faces; edges on
  /// walls are sheared too.
  void set_random(double held) {
    StrainSystem& s = system;
    const auto part = [](std::uint64_t seed, Cell c) { return 0.5 * (noise(seed, c) + 1); };
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) {
        const bool moves = !is_wall(a, c) && part(11 + a, c) >= held;
        s.mass[a].at(c) = moves ? float(0.1 + part(21 + a, c)) : 0.0f;
        s.open[a].at(c) = is_wall(a, c) ? 0.0f : float(part(31 + a, c));
      });
    for_each(domain.cells, [&](Cell c) {
      s.squeeze.at(c) = float(std::max(0.0, 30 * noise(41, c))), s.stretch.at(c) = float(20 * part(42, c));
    });
    for (int c = 0; c < 3; ++c) {
      if (!has_edges(c)) continue;
      for_each(edges(c), [&](Cell e) { s.shear[c].at(e) = float(10 * part(51 + c, e)); });
    }
    wrap(s);
  }
  void wrap(StrainSystem& s) const {
    for (Field<float>* field : {&s.squeeze, &s.stretch}) wrap_cells(serial, domain, *field);
    for (MacField<float>* field : {&s.mass, &s.open}) wrap_faces(serial, domain, *field);
    wrap_edges(serial, domain, s.shear);
  }

  /// Noise on the faces that are unknowns.
  MacField<float> random_faces(std::uint64_t seed) const {
    MacField<float> out(layout);
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) {
        if (system.mass[a](c) > 0) out[a].at(c) = float(noise(seed + a, c));
      });
    return out;
  }

  int rows() const { return int(domain.faces(0).count() + domain.faces(1).count() + domain.faces(2).count()); }
  /// -1: no unknown, its velocity is zero.
  int row(int a, Cell c) const {
    for (int b = 0; b < 3; ++b)
      if (domain.lattice.active[b] && domain.periodic(b)) {
        const int lo = domain.cells.lo[b], n = domain.cells.size()[b];
        c[b] = lo + ((c[b] - lo) % n + n) % n;
      }
    const Cells faces = domain.faces(a);
    if (!faces.contains(c) || !(system.mass[a](c) > 0)) return -1;
    int before = 0;
    for (int b = 0; b < a; ++b) before += int(domain.faces(b).count());
    const Int3 n = faces.size(), d = c - faces.lo;
    return before + (d.z * n.y + d.y) * n.x + d.x;
  }
  std::vector<double> values(const MacField<float>& x) const {
    std::vector<double> out(std::size_t(rows()), 0.0);
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) {
        if (const int r = row(a, c); r >= 0) out[std::size_t(r)] = x[a](c);
      });
    return out;
  }

  /// The energy, twice, square by square, as the header of StrainSystem has it.
  std::vector<StrainTerm> terms() const {
    std::vector<StrainTerm> out;
    const auto add = [&](double k, const std::vector<std::pair<int, double>>& weights) {
      StrainTerm term{k, {}};
      for (const auto& w : weights)
        if (w.first >= 0) term.weights.push_back(w);
      out.push_back(term);
    };
    const Int3 active = domain.lattice.active;
    for (int a = 0; a < 3; ++a) for_each(domain.faces(a), [&](Cell c) { add(system.mass[a](c), {{row(a, c), 1.0}}); });
    for_each(domain.cells, [&](Cell c) {
      std::vector<std::pair<int, double>> outflow;
      for (int a = 0; a < 3; ++a) {
        if (!active[a]) continue;
        const Cell up = c + unit(a);
        outflow.push_back({row(a, up), system.open[a](up)}), outflow.push_back({row(a, c), -system.open[a](c)});
        add(system.stretch(c), {{row(a, up), 1.0}, {row(a, c), -1.0}});
      }
      add(system.squeeze(c), outflow);
    });
    for (int c = 0; c < 3; ++c) {
      if (!has_edges(c)) continue;
      const int a = (c + 1) % 3, b = (c + 2) % 3;
      for_each(edges(c), [&](Cell e) {
        add(system.shear[c](e),
            {{row(a, e), 1.0}, {row(a, e - unit(b)), -1.0}, {row(b, e), 1.0}, {row(b, e - unit(a)), -1.0}});
      });
    }
    return out;
  }
  /// A x by the terms.
  std::vector<double> product(const std::vector<double>& x) const {
    std::vector<double> out(x.size(), 0.0);
    for (const StrainTerm& term : terms()) {
      double rate = 0;
      for (const auto& [n, w] : term.weights) rate += w * x[std::size_t(n)];
      for (const auto& [n, w] : term.weights) out[std::size_t(n)] += term.k * w * rate;
    }
    return out;
  }
};

/// Planes and blocks, off the lattice's origin, of odd sizes where they need not be even; walls and a periodic axis.
template <class Check>
void for_strains(const Check& check) {
  for (Side x : {Side::wall, Side::periodic})
    for (Side y : {Side::wall, Side::periodic}) {
      check(SampleStrain({{-3, 2, 0}, {6, 7, 1}}, x, y, Side::wall));
      check(SampleStrain({{-2, 1, 4}, {3, 5, 7}}, x, Side::wall, y));
    }
}

inline double dot(const Domain& domain, const MacField<float>& a, const MacField<float>& b) {
  long double sum = 0;
  for (int k = 0; k < 3; ++k) for_each(domain.faces(k), [&](Cell c) { sum += (long double)a[k](c) * b[k](c); });
  return double(sum);
}

}  // namespace silt::test

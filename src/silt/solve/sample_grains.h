#pragma once

// Shared by the tests of GrainSolver and by programs that compare machines.

#include <algorithm>
#include <array>
#include <functional>

#include "silt/fields/test_tools.h"
#include "silt/fields/wrap.h"
#include "silt/solve/grain_kernels.h"
#include "silt/solve/grain_solver.h"

namespace silt::test {

/// Grains in some cells of a box, packed, at rest, their velocity in cells a step. Walls of the box are the only
/// solids.
class SampleGrains {
 public:
  using Has = std::function<bool(Cell)>;
  using Sides = std::array<Side, 3>;

  Domain domain;
  Layout layout;
  MacField<float> mass, open, sheared, extended, lends;
  GrainContacts contacts;
  Field<float> friction, slack, cohesion, tension;
  std::array<std::array<double, 2>, 3> rub{};      ///< of walls [axis][end]
  std::array<std::array<Vec3d, 2>, 3> dragging{};  ///< velocity of walls
  MacField<double> u, before;                      ///< the velocity, and what it was before the stress acted
  Field<double> p;
  CornerStress s;
  GrainSolver solver;

  /// `cells` one thick in z are a plane. Walls rub as the grains do.
  SampleGrains(const Box& cells, const Sides& sides, double mu, const Has& has, int pad = 0) : has_(has) {
    const Int3 active{1, 1, cells.size().z > 1};
    domain = {{{}, 1, active}, cells, {{{sides[0], sides[0]}, {sides[1], sides[1]}, {sides[2], sides[2]}}}};
    layout = make_layout(cells, active, default_halo, pad);
    for (MacField<float>* field : {&mass, &open, &sheared, &extended, &lends}) *field = MacField<float>(layout);
    contacts = GrainContacts(layout);
    for (Field<float>* field : {&friction, &slack, &cohesion, &tension}) *field = Field<float>(layout);
    u = before = MacField<double>(layout), p = Field<double>(layout);
    s = CornerStress(cells, active);
    for_each(cells, [&](Cell c) { friction.at(c) = has(c) ? float(mu) : 0.0f; });
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) {
        if (is_wall(a, c)) return;
        open[a].at(c) = 1;
        mass[a].at(c) = 0.5f * float(grains(c) + grains(c - unit(a)));
      });
    for (MacField<float>* field : {&mass, &open}) wrap_faces(host(), domain, *field);
    wrap_cells(host(), domain, friction);
    for (auto& axis : rub) axis = {mu, mu};
  }

  static const Exec& host() {
    static const Exec one(Device::cpu, 1);
    return one;
  }
  int dims() const { return domain.lattice.dims(); }
  bool rings(int a) const { return domain.lattice.active[a] && domain.periodic(a); }
  /// The cell or face that this one is, round periodic axes.
  Cell wrapped(Cell c) const {
    for (int a = 0; a < 3; ++a)
      if (rings(a)) {
        const int lo = domain.cells.lo[a], n = domain.cells.size()[a];
        c[a] = lo + ((c[a] - lo) % n + n) % n;
      }
    return c;
  }
  bool grains(Cell c) const {
    const Cell at = wrapped(c);
    return domain.cells.contains(at) && has_(at);
  }
  bool is_wall(int a, Cell face) const {
    return !rings(a) && (face[a] == domain.cells.lo[a] || face[a] == domain.cells.hi[a]);
  }

  /// A step with a push `g` on all of them.
  GrainReport step(const Vec3d& g, GrainOptions options = {.tolerance = 1e-3}, const Exec& exec = host()) {
    for (int a = 0; a < 3; ++a)
      for_each(domain.faces(a), [&](Cell c) {
        if (mass[a](c) > 0) u[a].at(c) += g[a];
      });
    find_contacts(g);
    find_edges();
    before = u;
    options.speed = length(g);
    solver.place(domain, layout);
    return solver.solve(exec, parts(), options, g, u, p, s);
  }
  GrainParts parts() const {
    return {&mass, &open, &friction, &slack, &cohesion, &tension, &sheared, &extended, &lends, &contacts};
  }

  /// The mean and the spread of a component of the velocity, of faces that move and that `at` chooses.
  struct Mean {
    double value = 0, spread = 0;
  };
  Mean mean(
      int a, const std::function<bool(Cell)>& at = [](Cell) { return true; }) const {
    double sum = 0, least = 1e30, most = -1e30;
    int count = 0;
    for_each(domain.faces(a), [&](Cell c) {
      if (!(mass[a](c) > 0) || !at(c)) return;
      sum += u[a](c), ++count;
      least = std::min(least, u[a](c)), most = std::max(most, u[a](c));
    });
    return {sum / count, most - least};
  }
  double fastest() const {
    double out = 0;
    for (int a = 0; a < 3; ++a) for_each(domain.faces(a), [&](Cell c) { out = std::max(out, std::abs(u[a](c))); });
    return out;
  }

 private:
  /// Cells of grains at the box's walls touch them; half a cell lies between their middles and the wall.
  void find_contacts(const Vec3d& g) {
    for_each(domain.cells, [&](Cell c) {
      double area = 0, rubs = 0, rests = 0;
      Vec3d across{}, velocity{};
      for (int a = 0; a < 3 && grains(c); ++a)
        for (int end = 0; end < 2; ++end) {
          if (!domain.lattice.active[a] || !is_wall(a, end == 0 ? c : c + unit(a))) continue;
          area += 1, across[a] += 1, rubs += rub[a][end], velocity = velocity + dragging[a][end];
          rests += 0.5 * std::max(0.0, end == 0 ? -g[a] : g[a]);
        }
      contacts.rub.at(c) = area > 0 ? float(rubs / area) : -1.0f;
      contacts.resting.at(c) = float(rests), contacts.volume.at(c) = 1;
      for (int a = 0; a < 3; ++a) {
        contacts.across[a].at(c) = float(across[a]);
        contacts.velocity[a].at(c) = area > 0 ? float(velocity[a] / area) : 0.0f;
      }
    });
  }
  /// Edges carry shear where all faces round them move.
  void find_edges() {
    for (int c = 0; c < 3; ++c) {
      const int a = (c + 1) % 3, b = (c + 2) % 3;
      if (!domain.lattice.active[a] || !domain.lattice.active[b]) continue;
      const auto moves = [&](int axis, Cell face) {
        const Cell at = wrapped(face);
        return domain.faces(axis).contains(at) && mass[axis](at) > 0;
      };
      for_each(domain.edges(c), [&](Cell e) {
        const bool all = moves(a, e) && moves(a, e - unit(b)) && moves(b, e) && moves(b, e - unit(a));
        sheared[c].at(e) = all ? 1.0f : 0.0f;
      });
    }
  }

  Has has_;
};

/// A column let go on the floor of a box, some cells off its walls; its flanks give way.
inline SampleGrains sample_column(int dims, int pad = 0) {
  const auto has = [=](Cell c) {
    return c.x >= 4 && c.x < 11 && c[dims - 1] < 9 && (dims == 2 || (c.y > 2 && c.y < 8));
  };
  const Box cells = dims == 2 ? Box{{-2, 0, 0}, {18, 12, 1}} : Box{{-2, 0, 0}, {16, 11, 11}};
  return SampleGrains(cells, {Side::wall, Side::wall, Side::wall}, 0.6, has, pad);
}

}  // namespace silt::test

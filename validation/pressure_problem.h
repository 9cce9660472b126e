#pragma once

#include "silt/fields/hodge_star.h"
#include "silt/fields/test_tools.h"
#include "silt/solve/poisson_solver.h"

namespace silt::validation {

using test::for_each;

/// A pressure problem in a unit box, or a unit square across y, of n cells a side between walls.
struct PressureProblem {
  Domain domain;
  Layout layout;
  MacField<float> weights;
  Field<float> liquid;       ///< signed distance to its surface; made where there is one
  Field<unsigned char> air;  ///< likewise

  explicit PressureProblem(int n, bool flat = false)
      : domain{{{}, 1.0 / n, {1, !flat, 1}}, {{0, 0, 0}, {n, flat ? 1 : n, n}}, {}},
        layout(make_layout(domain.cells, domain.lattice.active)),
        weights(layout) {}

  int n() const { return domain.cells.hi.x; }
  double h() const { return domain.lattice.h; }
  Vec3d centre(Cell c) const { return (c.as<double>() + Vec3d{0.5, 0.5, 0.5}) * h(); }
  const Field<unsigned char>* held() const { return air.allocated() ? &air : nullptr; }
  /// Whether the cell has a row: it is not held, and some face of it has a weight.
  bool inside(Cell c) const {
    if (held() && air(c)) return false;
    for (int a = 0; a < 3; ++a)
      if (layout.active[a] && (weights[a](c) > 0 || weights[a](c + unit(a)) > 0)) return true;
    return false;
  }

  /// A liquid where distance(x) < 0, with the open part of faces that solids leave it.
  template <class Distance>
  void set_liquid(const Exec& exec, const MacField<float>* open, const Distance& distance) {
    liquid = Field<float>(layout);
    air = Field<unsigned char>(layout);
    for_each(grow(domain.cells, layout.active), [&](Cell c) { liquid.at(c) = float(distance(centre(c))); });
    hodge_star(exec, domain, {.open = open, .liquid = &liquid}, weights);
    cells_of_air(exec, domain, liquid, air);
  }
};

}  // namespace silt::validation

#pragma once

#include <cmath>

#include "silt/fields/test_tools.h"
#include "silt/solve/stress_solver.h"

namespace silt {

/// A block of sand on the rough floor of a box with walls, n cells along each side, in a plane or in space: just let
/// go, so that it falls at unit speed, and stirred a little. Its middle stands, its flanks give way. For tests and
/// experiments of StressSolver.
struct SampleHeap {
  Domain domain;
  Layout layout;
  MacField<float> inverse_mass;
  Field<float> friction;
  MacField<double> falling;  ///< the velocity without any stress

  SampleHeap(int n, int dims, double mu = 0.8)
      : domain(test::unit_domain(n, dims, Side::wall)),
        layout(make_layout(domain.cells, domain.lattice.active)),
        inverse_mass(layout),
        friction(layout),
        falling(layout) {
    test::for_each(domain.cells, [&](Cell c) { friction.at(c) = has_grains(c) ? float(mu) : 0.0f; });
    for (int a = 0; a < dims; ++a)
      test::for_each(domain.faces(a), [&](Cell c) {
        const Cell below = c - unit(a);
        if (!domain.cells.contains(c) || !domain.cells.contains(below)) return;  // a wall
        const double mass = 0.5 * (has_grains(c) + has_grains(below));
        if (mass == 0) return;
        inverse_mass[a].at(c) = float(1 / mass);
        const Vec3d x = domain.lattice.face_centre(a, c);
        falling[a].at(c) = a == 1 ? -1 : 0.3 * std::sin(7 * x.y + 3 * x.x + 5 * a);
      });
  }
  /// Over the middle half of the floor, up to 0.6.
  bool has_grains(Cell c) const {
    const Vec3d x = domain.lattice.centre(c);
    const bool wide = std::abs(x.x - 0.4) < 0.25, deep = domain.lattice.dims() < 3 || std::abs(x.z - 0.5) < 0.25;
    return wide && deep && x.y < 0.6;
  }
  StressParts parts() const { return {.inverse_mass = &inverse_mass, .friction = &friction}; }
};

/// a . b over a heap's cells.
inline double dot(const Box& cells, const StressField& a, const StressField& b) {
  long double sum = 0;
  for (int k = 0; k < a.size(); ++k) test::for_each(cells, [&](Cell c) { sum += (long double)a[k](c) * b[k](c); });
  return double(sum);
}

}  // namespace silt

#pragma once

#include "silt/fields/field.h"
#include "silt/fields/plane_fraction.h"

namespace silt {

/// A field about a site of the lattice (a cell, face, edge or corner), as a plane, by its nodes next to the site: those
/// from c to c + reach, each part of `reach` -1, 0 or 1. A face across x, of nodes at cell centres: reach = -x. A cell,
/// of nodes at corners: reach = x + y + z. Reads one node more along axes without reach.
struct SitePlane {
  double value = 0;
  Vec3d slope;  ///< per cell

  SILT_HD static SitePlane of(const View<const float>& nodes, Cell c, Int3 reach) {
    SitePlane out;
    int count = 0;
    for (int i = 0; i <= (reach.x != 0); ++i)
      for (int j = 0; j <= (reach.y != 0); ++j)
        for (int k = 0; k <= (reach.z != 0); ++k) {
          const Int3 at{i, j, k};
          const Cell n = c + reach * at;
          out.value += nodes(n);
          ++count;
          for (int a = 0; a < 3; ++a)
            if (reach[a] != 0)
              out.slope[a] += (at[a] ? reach[a] : -reach[a]) * 2 * double(nodes(n));
            else
              out.slope[a] += 0.5 * (double(nodes(n + unit(a))) - nodes(n - unit(a)));
        }
    out.value /= count;
    out.slope = out.slope / double(count);
    return out;
  }

  /// The part of the cube of one cell about the site where the field is negative; `size` of a cell, in the field's
  /// unit. Fields that are much steeper than a distance are not looked at from afar.
  SILT_HD static double below(const View<const float>& nodes, Cell c, Int3 reach, double size) {
    constexpr double far = 4;  // cells
    const double here = nodes(c);
    if (std::abs(here) > far * size) return here < 0 ? 1 : 0;
    const SitePlane plane = of(nodes, c, reach);
    return fraction_below(plane.value, plane.slope);
  }
};

}  // namespace silt

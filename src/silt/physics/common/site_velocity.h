#pragma once

#include "silt/fields/field.h"
#include "silt/fields/field_strips.h"

namespace silt {

/// The flow at the sites of one kind: cell centres (Site = -1) or the centres of the faces across axis Site. Components
/// that have no value there are the mean of the nearest two or four. Reads one layer of halo.
template <int Site>
struct SiteVelocity {
  MacView<const float> u;

  /// Component `Axis` at the site of index c, and at those after it along x where F is several.
  template <int Axis, class F = float>
  SILT_HD_INLINE F here(Cell c) const {
    const auto f = [&](Cell at) { return load<F>(u[Axis], at); };
    if constexpr (Axis == Site) {
      return f(c);
    } else if constexpr (Site < 0) {
      return 0.5f * (f(c) + f(c + unit(Axis)));
    } else {
      const Cell b = c - unit(Site);
      return 0.25f * ((f(c) + f(c + unit(Axis))) + (f(b) + f(b + unit(Axis))));
    }
  }

  /// Component `Axis` half a cell above the site along its own axis: where the difference to the next value is taken.
  template <int Axis>
  SILT_HD_INLINE float above(Cell c) const {
    const View<const float>& f = u[Axis];
    if constexpr (Axis == Site)
      return 0.5f * (f(c) + f(c + unit(Axis)));
    else if constexpr (Site < 0)
      return f(c + unit(Axis));
    else
      return 0.5f * (f(c + unit(Axis)) + f(c + unit(Axis) - unit(Site)));
  }
  template <int Axis>
  SILT_HD_INLINE float below(Cell c) const {
    return above<Axis>(c - unit(Axis));
  }
};

}  // namespace silt

#pragma once

#include "silt/fields/sampler.h"
#include "silt/physics/common/advection_options.h"
#include "silt/physics/common/site_velocity.h"

namespace silt {

/// Follows the flow from a site for a time: s = -dt/h goes back, s = +dt/h goes on.
///   rk2   d = s u(x + s/2 u(x)), the midpoint rule; a path of length t ends wrong by O(t dt^2)
///   rk3   k1 = u(x), k2 = u(x + s/2 k1), k3 = u(x + 3s/4 k2), d = s (2 k1 + 3 k2 + 4 k3) / 9; O(t dt^3)    [RAL62]
/// The flow is interpolated linearly, frozen over the step. Site as in SiteVelocity; Wraps as in SampleAxis.
///   [RAL62] Ralston 1962, Runge-Kutta methods with minimum error bounds
template <int Site, bool Wraps, Tracing Rule>
struct Trace {
  static constexpr bool wraps = Wraps;
  static constexpr int site = Site;

  MacView<const float> u;
  SampleBounds bounds[3];  ///< of each component

  /// From the traced site to where component `Axis` has its value of the same index, along `Along` [cells].
  template <int Axis, int Along>
  SILT_HD static constexpr float offset() {
    return (Axis == Along ? 0.5f : 0.0f) - (Site == Along ? 0.5f : 0.0f);
  }

  template <int Axis, class F>
  SILT_HD_INLINE F sample(Cell c, DisplacementOf<F> d) const {
    const DisplacementOf<F> of_value{d.x + offset<Axis, 0>(), d.y + offset<Axis, 1>(), d.z + offset<Axis, 2>()};
    return CornersOf<F>::at(u[Axis], SamplePointOf<F>::template at<Wraps>(bounds[Axis], c, of_value)).value();
  }
  template <class F>
  SILT_HD_INLINE DisplacementOf<F> sample_all(Cell c, DisplacementOf<F> d) const {
    return {sample<0>(c, d), sample<1>(c, d), sample<2>(c, d)};
  }
  template <class F>
  SILT_HD_INLINE static DisplacementOf<F> scaled(float s, DisplacementOf<F> k) {
    return {s * k.x, s * k.y, s * k.z};
  }
  /// (2 k1 + 3 k2 + 4 k3) / 9, written so that a uniform flow comes out exactly.
  template <class F>
  SILT_HD_INLINE static F ralston(F k1, F k2, F k3) {
    return k2 + (2.0f * (k1 - k2) + 4.0f * (k3 - k2)) * (1.0f / 9);
  }

  /// From cell c, and from those after it along x where F is several.
  template <class F = float>
  SILT_HD_INLINE DisplacementOf<F> follow(Cell c, float s) const {
    const SiteVelocity<Site> at{u};
    const DisplacementOf<F> k1{at.template here<0, F>(c), at.template here<1, F>(c), at.template here<2, F>(c)};
    const DisplacementOf<F> k2 = sample_all(c, scaled(0.5f * s, k1));
    if constexpr (Rule == Tracing::rk2) {
      return scaled(s, k2);
    } else {
      const DisplacementOf<F> k3 = sample_all(c, scaled(0.75f * s, k2));
      return scaled(s,
                    DisplacementOf<F>{ralston(k1.x, k2.x, k3.x), ralston(k1.y, k2.y, k3.y), ralston(k1.z, k2.z, k3.z)});
    }
  }
};

}  // namespace silt

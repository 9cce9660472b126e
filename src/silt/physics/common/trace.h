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

  template <int Axis>
  SILT_HD_INLINE float sample(Cell c, Displacement d) const {
    const Displacement of_value{d.x + offset<Axis, 0>(), d.y + offset<Axis, 1>(), d.z + offset<Axis, 2>()};
    return Corners::at(u[Axis], SamplePoint::at<Wraps>(bounds[Axis], c, of_value)).value();
  }
  SILT_HD_INLINE Displacement sample_all(Cell c, Displacement d) const {
    return {sample<0>(c, d), sample<1>(c, d), sample<2>(c, d)};
  }
  SILT_HD_INLINE static Displacement scaled(float s, Displacement k) { return {s * k.x, s * k.y, s * k.z}; }
  /// (2 k1 + 3 k2 + 4 k3) / 9, written so that a uniform flow comes out exactly.
  SILT_HD_INLINE static float ralston(float k1, float k2, float k3) {
    return k2 + (2 * (k1 - k2) + 4 * (k3 - k2)) * (1.0f / 9);
  }

  SILT_HD_INLINE Displacement operator()(Cell c, float s) const {
    const SiteVelocity<Site> at{u};
    const Displacement k1{at.template here<0>(c), at.template here<1>(c), at.template here<2>(c)};
    const Displacement k2 = sample_all(c, scaled(0.5f * s, k1));
    if constexpr (Rule == Tracing::rk2) {
      return scaled(s, k2);
    } else {
      const Displacement k3 = sample_all(c, scaled(0.75f * s, k2));
      return scaled(s, {ralston(k1.x, k2.x, k3.x), ralston(k1.y, k2.y, k3.y), ralston(k1.z, k2.z, k3.z)});
    }
  }
};

}  // namespace silt

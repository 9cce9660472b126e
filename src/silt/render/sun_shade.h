#pragma once

#include "silt/core/exec.h"
#include "silt/render/bricks.h"

namespace silt {

/// The share of the sun's light that comes through smoke, at every cell, found once for a picture: what a path needs of
/// it is then one look, without noise. As of a sun that is a point, and of smoke that stands still. Positions and
/// lengths in cells.
class SunShade {
 public:
  SunShade() = default;
  /// `extinction` [1/cell]; `to_sun` has length 1.
  SunShade(const Grid<float>& extinction, const Vec3f& to_sun, const Exec& exec);

  /// At any place, in the smoke's box or not, for light that comes along `to_light`, close to the sun's direction.
  float at(const Vec3f& x, const Vec3f& to_light) const {
    if (through_.empty()) return 1;
    const Span span = clip(through_.cells(), x, to_light);
    return span.t1 > span.t0 ? through_.linear(x + to_light * span.t0) : 1;
  }

 private:
  Grid<float> through_;
};

}  // namespace silt

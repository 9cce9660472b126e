#pragma once

#include <cmath>
#include <limits>

#include "silt/core/macros.h"

namespace silt {

inline constexpr int max_block = 7;  ///< a pressure and up to six numbers of stress

/// What one block (p, s_1, ..., s_m) of unknowns may be: |s| <= friction p + cohesion, and p >= -tension.
///
///          |s|        .'     friction > 0, cohesion >= 0, tension >= 0. Without cohesion a second-order cone with its
///           |      .'        apex at 0; cohesion moves the apex to p = -cohesion / friction; tension may cut it off
///   cohesion+   .'           before.
///           |.'
///        |.'|
///  ------+--+-----------> p
///    -tension
struct Cone {
  double friction = 1;
  double cohesion = 0;
  double tension = std::numeric_limits<double>::infinity();
};

/// One block, p first.
struct ConeBlock {
  int size = 2;
  double v[max_block] = {};

  SILT_HD double p() const { return v[0]; }
  SILT_HD double shear() const {
    double sum = 0;
    for (int k = 1; k < size; ++k) sum += v[k] * v[k];
    return std::sqrt(sum);
  }
};

namespace detail {

/// The nearest point with p and |s| = `shear` given, s along the block's own.
SILT_HD inline ConeBlock on_ray(const ConeBlock& x, double p, double shear) {
  const double own = x.shear(), factor = own > 0 ? shear / own : 0;
  ConeBlock y = x;
  y.v[0] = p;
  for (int k = 1; k < x.size; ++k) y.v[k] *= factor;
  return y;
}

}  // namespace detail

/// The nearest allowed block. Exact: a face, the cone's side, its apex, or where tension cuts it.
SILT_HD inline ConeBlock project(const Cone& cone, const ConeBlock& x) {
  const double mu = cone.friction, apex = -cone.cohesion / mu;
  const double shear = x.shear(), p = x.p();
  ConeBlock y = x;
  if (shear > mu * (p - apex)) {
    // Onto the side: the ray (1, mu) from the apex, unless the point lies in the polar cone, mu |s| <= -(p - apex).
    const double along = (p - apex + mu * shear) / (1 + mu * mu);
    y = along > 0 ? detail::on_ray(x, apex + along, mu * along) : detail::on_ray(x, apex, 0);
  }
  if (y.p() >= -cone.tension) return y;
  const double room = mu * (-cone.tension - apex);  // the nearest point lies where tension cuts: within a disc
  return detail::on_ray(x, -cone.tension, shear < room ? shear : room);
}

/// How far outside a block is: 0 where it is allowed.
SILT_HD inline double excess(const Cone& cone, const ConeBlock& x) {
  const double side = x.shear() - cone.friction * x.p() - cone.cohesion, cut = -cone.tension - x.p();
  const double worst = side > cut ? side : cut;
  return worst > 0 ? worst : 0;
}

/// The directions in which a block may go on without end: the cone without its cohesion.
SILT_HD inline Cone recession(const Cone& cone) {
  return {cone.friction, 0, cone.tension < std::numeric_limits<double>::infinity() ? 0 : cone.tension};
}

}  // namespace silt

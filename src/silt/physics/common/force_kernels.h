#pragma once

#include "silt/fields/field.h"
#include "silt/physics/common/cover.h"
#include "silt/physics/common/noise.h"

namespace silt {

/// Accelerations at one instant, as kernels see them. SI units.

struct UniformPush {
  Vec3d acceleration;
};

/// How a force changes with the distance r from its centre or axis:  f(q) = q ((n + 1) / (n + q^2))^((n + 1) / 2),
/// q = r / radius. Zero at the centre, 1 at the radius, which is its largest value, and falling as 1 / r^n far away.
struct Falloff {
  double radius, power;
  /// f(q) / r, which is finite everywhere [1/m].
  SILT_HD double over_distance(double r2) const {
    const double q2 = r2 / (radius * radius);
    return std::pow((power + 1) / (power + q2), 0.5 * (power + 1)) / radius;
  }
  /// Of f from the centre [m], by  q ((n + 1) / (n + q^2))^m = d/dq ((n + 1)^m (n + q^2)^(1 - m) / (2 - 2 m)).
  SILT_HD double integral(double r2) const {
    const double m = 0.5 * (power + 1), rise = std::log1p(r2 / (radius * radius * power)), e = (1 - m) * rise;
    const double grown = e == 0 ? rise : rise * std::expm1(e) / e;  // (((n + q^2) / n)^(1 - m) - 1) / (1 - m)
    return 0.5 * radius * power * std::pow((power + 1) / power, m) * grown;
  }
};

/// From the centre where `strength` > 0, towards it where it is negative.
struct PointPush {
  Vec3d centre;
  double strength;  ///< [m/s^2], at the radius
  Falloff falloff;
};

/// Round an axis, counter-clockwise seen from its tip, and towards it.
struct VortexPush {
  Vec3d centre, axis;  ///< a point on the axis, and its direction, of length 1
  double swirl, pull;  ///< [m/s^2], at the radius
  Falloff falloff;
};

/// u += dt a(x) on faces under the cover; of a point's field, which has a potential, the mean from one cell's centre to
/// the other's, so that it has no curl on the grid. Along periodic axes the nearest image of a centre counts.
void push_faces(const Exec& exec, const Domain& domain, const Cover& cover, const UniformPush& push, double dt,
                MacField<float>& velocity);
void push_faces(const Exec& exec, const Domain& domain, const Cover& cover, const PointPush& push, double dt,
                MacField<float>& velocity);
void push_faces(const Exec& exec, const Domain& domain, const Cover& cover, const VortexPush& push, double dt,
                MacField<float>& velocity);

/// du/dt = -rate (u - wind), exactly:  u += (1 - exp(-rate dt)) (wind - u).  Stable for any dt.
void drag_faces(const Exec& exec, const Domain& domain, const Cover& cover, double rate, const Vec3d& wind, double dt,
                MacField<float>& velocity);

/// u += dt strength curl psi, with random potentials psi on the edges of the lattice: where the cover is whole, what is
/// added has no divergence on the MAC grid, to rounding.  [BHN07] Bridson, Houriham & Nordenstam 2007.
/// `strength` [m/s^2] is the root mean square. Needs two active axes; `potential` is scratch.
void stir_faces(const Exec& exec, const Domain& domain, const Cover& cover, double strength, const NoiseOptions& noise,
                double dt, Field<float>& potential, MacField<float>& velocity);

}  // namespace silt

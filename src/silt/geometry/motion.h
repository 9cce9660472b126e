#pragma once

#include "silt/geometry/keyframes.h"
#include "silt/geometry/rigid_velocity.h"
#include "silt/geometry/similarity.h"

namespace silt {

/// Where a shape is at an instant, and how it moves.
struct Pose {
  Similarity place;  ///< from where the shape was made to where it is
  RigidVelocity velocity;
};

/// How something of fixed form moves: it turns about a pivot, and the pivot is carried along.
///   x(t) = pivot + position(t) + R(t) (x - pivot),   R = Euler(rotation(t)) * turn by the integral of spin
/// so that a propeller spins about an axis of its own while its aeroplane banks.
struct Motion {
  Animated<Vec3d> position;  ///< [m]
  Vec3d pivot{};             ///< a point of the shape as it was made [m]
  Animated<Vec3d> rotation;  ///< about x, then y, then z [degrees]
  Animated<double> spin;     ///< about spin_axis, in the shape's own frame [degrees/s]
  Vec3d spin_axis{0, 0, 1};

  Pose at(double time) const;
  /// Whether it stays where it is for good.
  bool still() const { return position.constant() && !turns(); }
  bool turns() const { return !rotation.constant() || !spin.constant() || spin(0) != 0; }
};

}  // namespace silt

#pragma once

#include "silt/core/vec.h"

namespace silt {

/// The velocity of a rigid body: u(x) = velocity + spin x (x - centre).
struct RigidVelocity {
  Vec3d velocity{};  ///< of the centre [m/s]
  Vec3d spin{};      ///< [rad/s]
  Vec3d centre{};    ///< [m]

  SILT_HD Vec3d at(const Vec3d& x) const { return velocity + cross(spin, x - centre); }
};

}  // namespace silt

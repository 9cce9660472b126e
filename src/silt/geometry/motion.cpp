#include "silt/geometry/motion.h"

namespace silt {

namespace {

constexpr double radians = 3.14159265358979323846 / 180;  // in a degree

/// Angular velocity [rad/s] of R = Rz Ry Rx: each angle's rate about its axis as the later turns leave it.
Vec3d euler_spin(const Vec3d& degrees, const Vec3d& rate) {
  const Mat3d z = euler_xyz({0, 0, degrees.z}), zy = euler_xyz({0, degrees.y, degrees.z});
  return (Vec3d{0, 0, rate.z} + z * Vec3d{0, rate.y, 0} + zy * Vec3d{rate.x, 0, 0}) * radians;
}

}  // namespace

Pose Motion::at(double time) const {
  const Vec3d angles = rotation(time);
  const Mat3d orientation = euler_xyz(angles);
  const Mat3d turn = orientation * rotation_about(spin_axis, spin.integral(time) * radians);
  const Vec3d centre = pivot + position(time);
  const Vec3d own_spin = orientation * normalized(spin_axis) * (spin(time) * radians);
  return {{turn, centre - turn * pivot, 1},
          {position.rate(time), euler_spin(angles, rotation.rate(time)) + own_spin, centre}};
}

}  // namespace silt

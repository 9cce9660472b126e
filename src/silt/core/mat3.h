#pragma once

#include <cmath>

#include "silt/core/vec.h"

namespace silt {

/// A 3x3 matrix by rows: m * v = [x.v, y.v, z.v]. The identity unless told otherwise.
struct Mat3d {
  Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

  SILT_HD constexpr Vec3d& operator[](int row) { return row == 0 ? x : row == 1 ? y : z; }
  SILT_HD constexpr const Vec3d& operator[](int row) const { return row == 0 ? x : row == 1 ? y : z; }

  SILT_HD friend constexpr Vec3d operator*(const Mat3d& m, const Vec3d& v) {
    return {dot(m.x, v), dot(m.y, v), dot(m.z, v)};
  }
  SILT_HD friend constexpr Mat3d operator*(const Mat3d& a, const Mat3d& b) {
    return {b.x * a.x.x + b.y * a.x.y + b.z * a.x.z, b.x * a.y.x + b.y * a.y.y + b.z * a.y.z,
            b.x * a.z.x + b.y * a.z.y + b.z * a.z.z};
  }
  friend constexpr bool operator==(const Mat3d&, const Mat3d&) = default;
};

/// Of a rotation, its inverse.
SILT_HD constexpr Mat3d transpose(const Mat3d& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

/// The rotation by `angle` [rad] about an axis of any length, right-handed (Rodrigues' formula); the identity for a
/// zero axis.
inline Mat3d rotation_about(const Vec3d& axis, double angle) {
  const Vec3d n = normalized(axis);
  if (n == Vec3d{}) return {};
  const double c = std::cos(angle), s = std::sin(angle), d = 1 - c;
  return {{c + d * n.x * n.x, d * n.x * n.y - s * n.z, d * n.x * n.z + s * n.y},
          {d * n.y * n.x + s * n.z, c + d * n.y * n.y, d * n.y * n.z - s * n.x},
          {d * n.z * n.x - s * n.y, d * n.z * n.y + s * n.x, c + d * n.z * n.z}};
}

/// Turns about x, then y, then z by these angles [degrees]: R = Rz Ry Rx, which Blender calls XYZ. Quarter turns are
/// exact.
inline Mat3d euler_xyz(const Vec3d& degrees) {
  struct Turn {
    double c, s;
    explicit Turn(double angle) {
      const double quarters = std::nearbyint(angle / 90);
      const double rest = (angle - 90 * quarters) * (3.14159265358979323846 / 180);
      const double c0 = std::cos(rest), s0 = std::sin(rest);
      const int q = int(std::fmod(std::fmod(quarters, 4) + 4, 4));
      c = q == 0 ? c0 : q == 1 ? -s0 : q == 2 ? -c0 : s0;
      s = q == 0 ? s0 : q == 1 ? c0 : q == 2 ? -s0 : -c0;
    }
  };
  const Turn x(degrees.x), y(degrees.y), z(degrees.z);
  const Mat3d rx{{1, 0, 0}, {0, x.c, -x.s}, {0, x.s, x.c}};
  const Mat3d ry{{y.c, 0, y.s}, {0, 1, 0}, {-y.s, 0, y.c}};
  const Mat3d rz{{z.c, -z.s, 0}, {z.s, z.c, 0}, {0, 0, 1}};
  return rz * (ry * rx);
}

/// A rotation that takes z to `direction` (not zero). Axes go to axes exactly.
inline Mat3d rotation_from_z(const Vec3d& direction) {
  const Vec3d n = normalized(direction);
  // Any vector well away from n gives a frame; the axis n has least of.
  const double ax = std::fabs(n.x), ay = std::fabs(n.y), az = std::fabs(n.z);
  const Vec3d other = az > ax && az > ay ? Vec3d{1, 0, 0} : ax >= ay ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
  const Vec3d b = normalized(cross(n, other)), a = cross(b, n);
  return transpose(Mat3d{a, b, n});
}

}  // namespace silt

#pragma once

#include <cmath>
#include <ostream>

#include "silt/core/macros.h"

namespace silt {

/// Three numbers: a position [m], a velocity [m/s], a cell's index. Plain data, no invariants.
template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  SILT_HD constexpr T& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  SILT_HD constexpr const T& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }

  SILT_HD constexpr Vec3& operator+=(const Vec3& b) { return x += b.x, y += b.y, z += b.z, *this; }
  SILT_HD constexpr Vec3& operator-=(const Vec3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
  SILT_HD constexpr Vec3& operator*=(T s) { return x *= s, y *= s, z *= s, *this; }

  SILT_HD friend constexpr Vec3 operator+(Vec3 a, const Vec3& b) { return a += b; }
  SILT_HD friend constexpr Vec3 operator-(Vec3 a, const Vec3& b) { return a -= b; }
  SILT_HD friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  SILT_HD friend constexpr Vec3 operator*(Vec3 a, T s) { return a *= s; }
  SILT_HD friend constexpr Vec3 operator*(T s, Vec3 a) { return a *= s; }
  SILT_HD friend constexpr Vec3 operator*(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
  SILT_HD friend constexpr Vec3 operator/(const Vec3& a, T s) { return {a.x / s, a.y / s, a.z / s}; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;

  /// The same three numbers as another type.
  template <class U>
  SILT_HD constexpr Vec3<U> as() const {
    return {U(x), U(y), U(z)};
  }

  friend std::ostream& operator<<(std::ostream& out, const Vec3& v) {
    return out << '[' << v.x << ", " << v.y << ", " << v.z << ']';
  }
};

using Int3 = Vec3<int>;
using Cell = Int3;  ///< a cell's index on the one infinite lattice; may be negative
using Vec3f = Vec3<float>;
using Vec3d = Vec3<double>;

template <class T>
SILT_HD constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
SILT_HD constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T>
SILT_HD T length(const Vec3<T>& a) {
  return std::sqrt(dot(a, a));
}

/// a / |a|, or zero for the zero vector.
template <class T>
SILT_HD Vec3<T> normalized(const Vec3<T>& a) {
  const T n = length(a);
  return n > 0 ? a / n : Vec3<T>{};
}

template <class T>
SILT_HD constexpr Vec3<T> min(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

template <class T>
SILT_HD constexpr Vec3<T> max(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

/// The index vector one step up an axis.
SILT_HD constexpr Int3 unit(int axis) {
  return {axis == 0, axis == 1, axis == 2};
}

}  // namespace silt

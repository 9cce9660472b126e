#pragma once

/// Signed distances [m] of primitives in a frame of their own, negative inside. All are exact on both sides.

#include "silt/core/vec.h"

namespace silt {

SILT_HD inline double larger(double a, double b) {
  return a > b ? a : b;
}
SILT_HD inline double smaller(double a, double b) {
  return a < b ? a : b;
}

/// How far a point is beyond two slabs: the distance of a rectangle whose sides lie at a = 0 and b = 0.
SILT_HD inline double corner_distance(double a, double b) {
  const double inside = larger(a, b), ao = larger(a, 0), bo = larger(b, 0);
  return inside <= 0 ? inside : std::sqrt(ao * ao + bo * bo);
}

SILT_HD inline double box_distance(const Vec3d& x, const Vec3d& lowest, const Vec3d& highest) {
  const Vec3d out = max(lowest - x, x - highest);  // beyond each pair of faces; negative between them
  const double inside = larger(out.x, larger(out.y, out.z));
  return inside <= 0 ? inside : length(max(out, Vec3d{}));
}

/// Along z from 0 to `height`.
SILT_HD inline double cylinder_distance(const Vec3d& x, double height, double radius) {
  const double rho = std::sqrt(x.x * x.x + x.y * x.y);
  return corner_distance(rho - radius, larger(-x.z, x.z - height));
}

/// Along z from 0 to `height`, with round ends beyond them.
SILT_HD inline double capsule_distance(const Vec3d& x, double height, double radius) {
  const double z = x.z < 0 ? x.z : x.z > height ? x.z - height : 0;
  return std::sqrt(x.x * x.x + x.y * x.y + z * z) - radius;
}

/// Along z from 0, where its radius is `radius`, to `height`, where it is `end_radius`. Its half profile is a
/// trapezium: the nearest of three edges, and a sign.
SILT_HD inline double cone_distance(const Vec3d& x, double height, double radius, double end_radius) {
  const double rho = std::sqrt(x.x * x.x + x.y * x.y), z = x.z;
  const double base = larger(rho - radius, 0), top = larger(rho - end_radius, 0);
  // The slanted edge from (radius, 0) to (end_radius, height).
  const double er = end_radius - radius, pr = rho - radius;
  double t = (pr * er + z * height) / (er * er + height * height);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const double sr = pr - t * er, sz = z - t * height;
  const double d2 = smaller(smaller(base * base + z * z, top * top + (z - height) * (z - height)), sr * sr + sz * sz);
  const bool inside = z >= 0 && z <= height && pr * height <= z * er;
  return inside ? -std::sqrt(d2) : std::sqrt(d2);
}

/// A ring round z: a tube of radius `tube` whose middle lies `radius` from the axis. Exact while tube <= radius.
SILT_HD inline double torus_distance(const Vec3d& x, double radius, double tube) {
  const double from_middle = std::sqrt(x.x * x.x + x.y * x.y) - radius;
  return std::sqrt(from_middle * from_middle + x.z * x.z) - tube;
}

}  // namespace silt

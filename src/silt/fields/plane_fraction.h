#pragma once

#include <cmath>

#include "silt/core/macros.h"
#include "silt/core/vec.h"

namespace silt {

/// The part of a unit cube about the origin where  value + slope . x < 0: exact. A flat axis has no slope, and drops
/// out. The cube is turned so that the slopes are 0 <= a <= b <= c with sum 1; the part below the plane at height z is
/// then a cubic in each of five pieces of 0 <= z <= 1/2, and the rest is its mirror image.
///   [SZ00] Scardovelli & Zaleski 2000, Analytical relations connecting linear interfaces and volume fractions
SILT_HD inline double fraction_below(double value, const Vec3d& slope) {
  double a = std::abs(slope.x), b = std::abs(slope.y), c = std::abs(slope.z);
  const double sum = a + b + c;
  if (!(sum > 0)) return value < 0 ? 1 : 0;
  const auto order = [](double& low, double& high) {
    const double l = low < high ? low : high, h = low < high ? high : low;
    low = l, high = h;
  };
  order(a, b), order(b, c), order(a, b);
  a /= sum, b /= sum, c /= sum;
  const double height = 0.5 - value / sum;
  if (height <= 0) return 0;
  if (height >= 1) return 1;
  const double z = height < 0.5 ? height : 1 - height;
  constexpr double thin = 1e-8;  // a slope less than this would only lose digits
  if (a < thin) a = 0;
  if (b < thin) b = 0;
  double part;
  if (z < a)
    part = z * z * z / (6 * a * b * c);
  else if (z < b)
    part = (z * (z - a) + a * a / 3) / (2 * b * c);
  else if (z < (a + b < c ? a + b : c))
    part = (z * z * (3 * (a + b) - z) + a * a * (a - 3 * z) + b * b * (b - 3 * z)) / (6 * a * b * c);
  else if (a + b < c)
    part = (2 * z - a - b) / (2 * c);
  else
    part = (z * z * (3 - 2 * z) + a * a * (a - 3 * z) + b * b * (b - 3 * z) + c * c * (c - 3 * z)) / (6 * a * b * c);
  return height < 0.5 ? part : 1 - part;
}

}  // namespace silt

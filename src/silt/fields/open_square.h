#pragma once

#include "silt/core/macros.h"

namespace silt {

/// Fraction of the square with corner distances p00, p10, p01, p11 that is outside (positive).
SILT_HD inline double open_square(double p00, double p10, double p01, double p11) {
  // Walk round the square; the outside part is a polygon whose corners are the outside corners and the edge crossings.
  const double value[4] = {p00, p10, p11, p01};
  const double x[4] = {0, 1, 1, 0}, y[4] = {0, 0, 1, 1};
  int outside = 0;
  for (double v : value) outside += v >= 0;
  if (outside == 4) return 1;
  if (outside == 0) return 0;
  double area2 = 0, first_x = 0, first_y = 0, last_x = 0, last_y = 0;
  bool any = false;
  for (int a = 0; a < 4; ++a) {
    const int b = (a + 1) % 4;
    for (int part = 0; part < 2; ++part) {
      double px = x[a], py = y[a];
      if (part == 0) {
        if (value[a] < 0) continue;
      } else {
        if ((value[a] >= 0) == (value[b] >= 0)) continue;
        const double f = value[a] / (value[a] - value[b]);
        px += f * (x[b] - x[a]), py += f * (y[b] - y[a]);
      }
      if (any)
        area2 += last_x * py - px * last_y;
      else
        first_x = px, first_y = py, any = true;
      last_x = px, last_y = py;
    }
  }
  area2 += last_x * first_y - first_x * last_y;
  const double area = 0.5 * area2;
  return area < 0 ? 0 : area > 1 ? 1 : area;
}

}  // namespace silt

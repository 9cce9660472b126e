#pragma once

/// What several experiments with water need: 2D, y up, a floor at the domain's lower side. SI units.

#include <vector>

#include "silt/frame.h"

namespace silt::validation {

constexpr double gravity = 9.81;  ///< what scenes have that do not say [m/s^2]

/// The surface of the water in a frame: its level set on the cells of the domain, read between their centres by linear
/// interpolation.
class WaterSurface {
 public:
  explicit WaterSurface(const Frame& frame);

  /// How high water stands on the floor at x: up to the first surface above it; drops and what flies do not count.
  double height(double x) const;
  /// How far from the domain's lower end there is water on the floor: the last surface along the lowest row.
  double front() const;
  /// How far from there water stands at least `depth` high without a gap; heights are means over `window` along x.
  double reach(double depth, double window) const;
  /// Part of the water's height that is like cos(pi x / width): the first mode of sloshing [m].
  double lean() const;
  /// Mean of the height over the width [m].
  double mean_height() const;

 private:
  double phi(int i, int j) const;
  double column(int i) const;

  Domain domain_;
  double h_;
  int nx_, ny_;
  std::vector<float> phi_;
  std::vector<double> heights_;  ///< at the middle of every column
};

/// The times at which a signal passes zero, by linear interpolation.
std::vector<double> zero_crossings(const std::vector<double>& time, const std::vector<double>& value);

/// y at x, linear between samples; `xs` rises. NaN beyond them.
double linear_at(const std::vector<double>& xs, const std::vector<double>& ys, double x);

}  // namespace silt::validation

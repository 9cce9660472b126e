#pragma once

/// What several experiments with sand need. 2D is y up, 3D z up, with a floor at the domain's lower side. SI units.

#include <vector>

#include "silt/frame.h"
#include "silt/simulation.h"

namespace silt::validation {

/// How deep sand lies in a frame in 2D: what its particles stand for, by column of cells, packed as it was seeded.
class SandProfile {
 public:
  explicit SandProfile(const Frame& frame);

  const std::vector<double>& depths() const { return depths_; }  ///< of every column [m]
  std::vector<double> places() const;                            ///< of their middles, from the domain's lower end [m]
  /// How far from the lower end it lies at least `least` deep without a gap; depths are means of three columns, linear
  /// between their middles.
  double front(double least) const;
  /// Mean depth of the columns between two places.
  double depth(double from, double to) const;

 private:
  double h_;
  std::vector<double> depths_;
};

/// How far from an axis sand lies in a frame in 3D, by direction.
class SandFoot {
 public:
  /// `sectors` of equal angle, the first round +x; the depth is found on rings as wide as a cell.
  SandFoot(const Frame& frame, double x, double y, int sectors);

  /// In each direction: how far out it lies at least `least` deep anywhere; linear between the middles of rings.
  std::vector<double> radii(double least) const;
  /// Mean depth by distance from the axis, ring by ring.
  std::vector<double> profile() const;
  double ring() const { return h_; }  ///< how wide one is [m]

 private:
  double h_;
  int sectors_, rings_;
  std::vector<double> depths_;  ///< [sector][ring]
};

double mean(const std::vector<double>& values);
/// Largest distance from the mean, over the mean.
double unevenness(const std::vector<double>& values);

/// Where a curve of values at 0.5 h, 1.5 h, ... first falls below `least`.
double falls_below(const std::vector<double>& values, double h, double least);

/// How full the cells are whose neighbours, two cells far, are all at least 0.7 full: those within the sand.
struct Fullness {
  double mean = 0, largest = 0;
  int cells = 0;
};
Fullness fullness_within(const Frame& frame);

}  // namespace silt::validation

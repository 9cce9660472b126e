#pragma once

/// Frames for programs with other axes or another unit of length. silt has z up and metres; a scene in a plane has y
/// up.

#include "silt/fields/frame.h"

namespace silt {

enum class UpAxis { z, y };

/// Which way is up in the program that reads it, and how many of its units a metre is.
struct Orientation {
  UpAxis up = UpAxis::z;
  double scale = 1;
  friend bool operator==(const Orientation&, const Orientation&) = default;
};

/// The same frame, seen with these axes: (x, y, z) becomes (x, z, -y) where y is up, all lengths and velocities times
/// `scale`. Nothing is resampled: every value of a volume is that of a cell, and cell (i, j, k) becomes (i, k, -1 - j).
/// Shapes of bodies stay as they were made, and their poses change.
Frame oriented(Frame frame, const Orientation& orientation);

}  // namespace silt

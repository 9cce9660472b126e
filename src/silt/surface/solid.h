#pragma once

#include <vector>

#include "silt/fields/frame.h"

namespace silt {

/// The distance to the obstacles of a frame [m], negative inside them, as its volume "solid" has it; far where there is
/// none.
class Solid {
 public:
  explicit Solid(const Frame& frame);

  bool none() const { return parts_.empty(); }
  double distance(const Vec3d& x) const;
  /// Away from the obstacle, of length 1; zero where that cannot be told.
  Vec3d normal(const Vec3d& x) const;

 private:
  float at(Cell c) const;

  Lattice lattice_;
  float far_ = 0;
  std::vector<const Volume*> parts_;
};

}  // namespace silt

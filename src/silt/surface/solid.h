#pragma once

#include "silt/surface/volume_sampler.h"

namespace silt {

/// The obstacles of a frame, as its volume "solid" has them. The frame must outlive it.
class Solid {
 public:
  explicit Solid(const Frame& frame);

  bool none() const { return none_; }
  /// To the nearest of them [m], negative inside; far where there is none.
  double distance(const Vec3d& x) const { return none_ ? far_ : volume_.at(x); }
  /// Away from the obstacle, of length 1; zero where that cannot be told.
  Vec3d normal(const Vec3d& x) const;

 private:
  VolumeSampler volume_;
  double h_, far_;
  bool none_;
};

}  // namespace silt

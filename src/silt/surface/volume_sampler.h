#pragma once

#include <string_view>
#include <vector>

#include "silt/fields/frame.h"

namespace silt {

/// A volume of a frame, all its boxes, between the centres of cells. Beyond the domain it is as in the nearest cell
/// there. The frame must outlive it.
class VolumeSampler {
 public:
  /// `material` may be empty: any.
  VolumeSampler(const Frame& frame, std::string_view name, Volume::Kind kind, std::string_view material = {});

  bool none() const { return parts_.empty(); }
  float background() const { return parts_.empty() ? 0 : parts_.front()->background; }
  const std::vector<const Volume*>& parts() const { return parts_; }
  double at(const Vec3d& x, int component = 0) const;

 private:
  float at_cell(Cell c, int component) const;

  Lattice lattice_;
  Box cells_;
  std::vector<const Volume*> parts_;
};

}  // namespace silt

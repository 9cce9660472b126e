#pragma once

#include <string_view>

#include "silt/render/grid.h"

namespace silt {

/// Signed distance to a level set of a frame, negative inside, as smooth as splines. What they blur is put back, so
/// that drops and sheets keep their size. All lengths in cells.
class DistanceField {
 public:
  DistanceField(const Frame& frame, std::string_view name);

  bool any() const { return !phi_.empty(); }
  float at(const Vec3f& x) const { return phi_.smooth(x); }

 private:
  Grid<float> phi_;
};

}  // namespace silt

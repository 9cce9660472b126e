#include "silt/surface/solid.h"

#include <algorithm>

namespace silt {

Solid::Solid(const Frame& frame)
    : volume_(frame, "solid", Volume::Kind::level_set),
      h_(frame.domain.lattice.h),
      far_(3 * h_),
      none_(std::none_of(volume_.parts().begin(), volume_.parts().end(), [&](const Volume* part) {
        return std::any_of(part->values.begin(), part->values.end(), [&](float d) { return d < 2 * h_; });
      })) {}

Vec3d Solid::normal(const Vec3d& x) const {
  Vec3d slope;
  for (int a = 0; a < 3; ++a) {
    const Vec3d step = unit(a).as<double>() * (0.5 * h_);
    slope[a] = distance(x + step) - distance(x - step);
  }
  return normalized(slope);
}

}  // namespace silt

#include "silt/physics/common/obstacle_distance.h"

namespace silt {

const Buffer<float>& ObstacleDistance::at_centres(const Exec& exec, const Setting& setting, double time) {
  if (found_.size() > 0 && all_still(setting.obstacles)) return found_;
  found_ = Buffer<float>(std::size_t(setting.domain.cells.count()));
  distance_at_centres(exec, setting.domain, place(setting.obstacles, time), found_);
  return found_;
}

}  // namespace silt

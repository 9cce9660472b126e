#pragma once

#include "silt/physics/common/setting.h"

namespace silt {

/// How far it is to the obstacles, as frames have it. Worked out once for obstacles at rest.
class ObstacleDistance {
 public:
  /// At the centres of the setting's cells, packed, x fastest [m]. Always of the same setting.
  const Buffer<float>& at_centres(const Exec& exec, const Setting& setting, double time);

 private:
  Buffer<float> found_;
};

}  // namespace silt

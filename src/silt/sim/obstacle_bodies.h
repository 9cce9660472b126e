#pragma once

#include <memory>
#include <vector>

#include "silt/fields/frame.h"
#include "silt/physics/common/setting.h"

namespace silt {

/// A setting's obstacles as a viewer sees them. None of a flat domain: there the level set "solid" tells.
class ObstacleBodies {
 public:
  /// `time` [s]. Shapes that keep their form are made once.
  std::vector<Body> at(const Setting& setting, double time);

 private:
  std::vector<std::shared_ptr<const Mesh>> shapes_;  // of those that do, in the setting's order
};

}  // namespace silt

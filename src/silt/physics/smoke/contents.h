#pragma once

#include "silt/physics/common/setting.h"

namespace silt {

/// What smoke carries besides density and temperature: fields are there only when something in the scene asks for them.
struct SmokeContents {
  bool colour = false;  ///< something makes smoke of a colour of its own
  bool fuel = false;    ///< something makes fuel
};

SmokeContents contents_of(const Setting& setting);

}  // namespace silt

#pragma once

#include <string>

#include "silt/physics/common/model.h"

namespace silt {

/// "smoke.density is not finite at cell [3, 4, 0]", "water.particles: velocity.x of particle id 17 is not finite";
/// empty when every persistent value is finite.
std::string first_bad_value(const Exec& exec, Model& model);

}  // namespace silt

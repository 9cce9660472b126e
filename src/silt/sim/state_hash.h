#pragma once

#include <string>

#include "silt/physics/common/model.h"

namespace silt {

/// 16 hexadecimal digits of the XXH3 of the time and of every persistent value, each by name, fields in their boxes
/// only: the same for any number of threads, any padding, and on any memory layout.
std::string state_hash(Model& model, double time);

}  // namespace silt

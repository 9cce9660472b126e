#pragma once

/// What frames of each material hold, and which of it a scene keeps.

#include <string>
#include <vector>

#include "silt/scene/table_info.h"

namespace silt {

/// Volumes of a material, by name.
std::vector<std::string> volumes_of(const std::string& material);
/// Those that are kept unless the scene says otherwise.
std::vector<std::string> usual_volumes(const std::string& material);
/// The volume that 2D pictures show unless the scene says otherwise.
std::string usual_quantity(const std::string& material);

/// Volumes of all materials, each with what it is.
std::vector<ChoiceInfo> all_volumes();

}  // namespace silt

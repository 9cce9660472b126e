#pragma once

#include <vector>

#include "silt/fields/frame.h"

namespace silt {

/// Boxes of pools near each other overlap, and whoever reads a frame takes a cell from any box that has it. So all that
/// have it say the same: of a level set the least of their values, of a vector the first that is not zero.
void agree_in_overlaps(std::vector<Volume>& volumes);

}  // namespace silt

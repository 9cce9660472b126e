#pragma once

#include <vector>

#include "silt/core/cells.h"

namespace silt {

/// Boxes of whole tiles, counted from the low side of the rows' box, that cover the cells in use: few, as large as they
/// can be without tiles that have none, and none of them in another.
std::vector<Box> tile_boxes(const RowSpans& rows, Int3 active);

}  // namespace silt

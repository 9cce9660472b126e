#pragma once

#include <vector>

#include "silt/solve/level.h"

namespace silt {

/// Indices of a level's unknowns, rising.
std::vector<int> unknowns_of(const Level& level);

/// The inverse of the level's matrix on these unknowns, row by row. On parts that are closed on all sides, where the
/// matrix is singular, the inverse on what has no mean.
std::vector<double> inverse_of(const Level& level, const std::vector<int>& unknown);

}  // namespace silt

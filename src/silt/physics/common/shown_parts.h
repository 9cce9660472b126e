#pragma once

#include <vector>

#include "silt/fields/domain.h"
#include "silt/fields/particle_sort.h"

namespace silt {

/// The parts of a domain that a frame shows: all of it, or, where few of its cells are in use, boxes round those that
/// are within `reach` cells of particles.
std::vector<Domain> shown_parts(const Domain& domain, const CellRanges& ranges, int reach);

}  // namespace silt

#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt::gas {

/// The part V of each cell that lies outside of solids, from distances at its corners: its sections, by Simpson's rule
/// along each axis. Cells with an open face have at least a little. Beyond walls as much as beside them.
void find_room(const Exec& exec, const Domain& domain, const Field<float>& distance, const MacField<float>& open,
               Field<float>& room);

}  // namespace silt::gas

#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// The part V of each cell that lies outside of solids, from distances at its corners: in 2D where what is bilinear
/// between them is positive; in 3D the mean of what the sections across each axis sum up to. Cells with an open face
/// have at least a little. Beyond walls as much as beside them.
void find_room(const Exec& exec, const Domain& domain, const Field<float>& distance, const MacField<float>& open,
               Field<float>& room);

}  // namespace silt

#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// room = the part of a cell that solids leave; capacity = what a crowd (crowd_kernel.h) measures where particles
/// fill all the room, 1 away from walls and solids. The halo of `room` is filled.
void find_capacity(const Exec& exec, const Domain& domain, const Field<float>& distance, Field<float>& room,
                   Field<float>& capacity);

}  // namespace silt

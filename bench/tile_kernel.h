#pragma once

#include "silt/fields/field.h"
#include "silt/fields/region.h"

namespace silt {

/// out(c) = a number made from c alone, on the cells of a region: shows which cells a loop visits.
void mark_cells(const Exec& exec, const Region& region, Field<float>& out);
/// out[i] = 3 i + 1.
void mark_indices(const Exec& exec, Buffer<std::uint32_t>& out);

}  // namespace silt

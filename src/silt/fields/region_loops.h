#pragma once

#include "silt/core/loops.h"
#include "silt/fields/region.h"

namespace silt {

/// Runs `kernel(Cell)` on every cell of a region. For KERNELS sources, as core/loops.h.
template <class Kernel>
void for_each_cell(const Exec& exec, const char* name, const Region& region, const Kernel& kernel) {
  if (region.tiled())
    for_each_tile_cell(exec, name, region.box(), region.tiles().read(exec), std::int64_t(region.tiles().size()),
                       region.tile(), kernel);
  else
    for_each_cell(exec, name, region.box(), kernel);
}

}  // namespace silt

#pragma once

#include <cstddef>

#include "silt/fields/field.h"

namespace silt {

/// Calls use(pointer, count) on every row of `box` along x, in order, on the host's copy of the field. Works on bytes
/// for files and hashes; kernels use the loops of core.
template <class F, class Use>
void for_each_row(F& field, const Box& box, const Use& use) {
  if (box.empty()) return;
  auto* const values = field.values().host();
  for (int z = box.lo.z; z < box.hi.z; ++z)
    for (int y = box.lo.y; y < box.hi.y; ++y)
      use(values + field.layout().index(box.lo.x, y, z), std::size_t(box.size().x));
}

}  // namespace silt

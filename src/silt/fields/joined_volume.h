#pragma once

#include <algorithm>
#include <vector>

#include "silt/fields/frame.h"

namespace silt {

/// One volume that came in several boxes, on `box`: its background where none of them is, and nothing of what lies
/// beyond.
inline Volume joined_volume(const std::vector<const Volume*>& parts, const Box& box) {
  const Volume& first = *parts.front();
  Volume out{first.material, first.name, first.kind, first.unit, box, first.background, {}};
  out.values.assign(std::size_t(box.count()) * out.components(), out.background);
  for (const Volume* part : parts) {
    const Box b = intersect(part->cells, box);
    if (b.empty()) continue;
    const std::size_t row = std::size_t(b.size().x) * part->components();
    for (int z = b.lo.z; z < b.hi.z; ++z)
      for (int y = b.lo.y; y < b.hi.y; ++y)
        std::copy_n(part->values.begin() + std::ptrdiff_t(part->index({b.lo.x, y, z})), row,
                    out.values.begin() + std::ptrdiff_t(out.index({b.lo.x, y, z})));
  }
  return out;
}

}  // namespace silt

#include "silt/physics/liquid/overlaps.h"

#include <algorithm>

namespace silt {
namespace {

bool is_zero(const float* vector) {
  return vector[0] == 0 && vector[1] == 0 && vector[2] == 0;
}

/// A row of cells of one volume and of another.
void agree(Volume::Kind kind, int count, float* one, float* other) {
  if (kind == Volume::Kind::level_set) {
    for (int n = 0; n < count; ++n) one[n] = other[n] = std::min(one[n], other[n]);
  } else if (kind == Volume::Kind::vector) {
    for (int n = 0; n < count; ++n, one += 3, other += 3)
      if (is_zero(one))
        std::copy_n(other, 3, one);
      else
        std::copy_n(one, 3, other);
  }
}

}  // namespace

void agree_in_overlaps(std::vector<Volume>& volumes) {
  // Every two: what the first finds goes to all that come after it, and the last has then met all others.
  for (std::size_t i = 0; i < volumes.size(); ++i)
    for (std::size_t j = i + 1; j < volumes.size(); ++j) {
      Volume &one = volumes[i], &other = volumes[j];
      const Box both = intersect(one.cells, other.cells);
      if (both.empty() || one.name != other.name || one.material != other.material) continue;
      for (int z = both.lo.z; z < both.hi.z; ++z)
        for (int y = both.lo.y; y < both.hi.y; ++y)
          agree(one.kind, both.size().x, one.values.data() + one.index({both.lo.x, y, z}),
                other.values.data() + other.index({both.lo.x, y, z}));
    }
}

}  // namespace silt

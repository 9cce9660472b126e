#pragma once

#include "silt/core/random.h"
#include "silt/fields/domain.h"

namespace silt {

/// A cell is divided into 2^D parts, one for each particle that fills it; bit a of a part's number says whether it is
/// the upper half along axis a. Parts of a flat axis do not exist.
SILT_HD constexpr bool has_part(Int3 active, int part) {
  return !((part & 1 && !active.x) || (part & 2 && !active.y) || (part & 4 && !active.z));
}

/// The part of its cell that an offset lies in.
SILT_HD constexpr int part_of(Int3 active, const Vec3f& offset) {
  return (active.x && offset.x >= 0.5f) | (active.y && offset.y >= 0.5f) << 1 | (active.z && offset.z >= 0.5f) << 2;
}

/// How much of its part of a cell a particle may be found in: enough that no pattern shows, and little enough that the
/// surface round particles is smooth.
inline constexpr double usual_jitter = 0.5;

/// A random place in a part of a cell; depends on the cell, the part and the seed alone. In the middle of a flat axis.
/// What is not left to chance is staggered: seen along any axis, all parts' places are apart and evenly spread.
SILT_HD inline Vec3f random_place(Int3 active, std::uint64_t seed, Cell c, int part, double jitter = usual_jitter) {
  constexpr std::uint64_t bias = 1 << 20, mask = (1 << 21) - 1;
  const std::uint64_t cell = ((c.x + bias) & mask) | ((c.y + bias) & mask) << 21 | ((c.z + bias) & mask) << 42;
  Vec3f out{0.5f, 0.5f, 0.5f};
  for (int a = 0; a < 3; ++a)
    if (active[a]) {
      const int others = part & ~(1 << a);
      const bool odd = (others ^ others >> 1 ^ others >> 2) & 1;
      const double within = (part >> a & 1) + 0.5 +
                            jitter * (random_unit(seed, cell, std::uint64_t(3 * part + a)) - 0.5) +
                            (1 - jitter) * (odd ? 0.25 : -0.25);
      out[a] = float(0.5 * within) < 1 ? float(0.5 * within) : 0x1.fffffep-1f;
    }
  return out;
}

}  // namespace silt

#pragma once

#include <cmath>

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

/// How far along an axis a place is moved in place of at random, in [0, 1). Those of any few neighbours are spread
/// evenly: an additive sequence across the axis, its steps powers of the root of x^4 = x + 1, which have no ratio near
/// a simple fraction. Along the axis they are the same for all cells, so that as many places lie in any layer of a
/// cell's height.
SILT_HD inline double even_unit(std::uint64_t seed, Cell c, int part, int axis) {
  constexpr double steps[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  double sum = random_unit(seed, std::uint64_t(axis), 0);
  for (int b = 0; b < 3; ++b) sum += steps[(axis + b) % 3] * (2.0 * (b == axis ? 0 : c[b]) + (part >> b & 1));
  return sum - std::floor(sum);
}

/// Whether places are random or spread evenly.
enum class Chance { random, even };

/// A random place in a part of a cell; depends on the cell, the part and the seed alone. In the middle of a flat axis.
/// What is not left to chance is staggered: seen along any axis, all parts' places are apart and evenly spread.
SILT_HD inline Vec3f random_place(Int3 active, std::uint64_t seed, Cell c, int part, double jitter = usual_jitter,
                                  Chance chance = Chance::random) {
  constexpr std::uint64_t bias = 1 << 20, mask = (1 << 21) - 1;
  const std::uint64_t cell = ((c.x + bias) & mask) | ((c.y + bias) & mask) << 21 | ((c.z + bias) & mask) << 42;
  Vec3f out{0.5f, 0.5f, 0.5f};
  for (int a = 0; a < 3; ++a)
    if (active[a]) {
      const int others = part & ~(1 << a);
      const bool odd = (others ^ others >> 1 ^ others >> 2) & 1;
      const double drawn =
          chance == Chance::even ? even_unit(seed, c, part, a) : random_unit(seed, cell, std::uint64_t(3 * part + a));
      const double within = (part >> a & 1) + 0.5 + jitter * (drawn - 0.5) + (1 - jitter) * (odd ? 0.25 : -0.25);
      out[a] = float(0.5 * within) < 1 ? float(0.5 * within) : 0x1.fffffep-1f;
    }
  return out;
}

}  // namespace silt

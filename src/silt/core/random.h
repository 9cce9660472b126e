#pragma once

#include <cstdint>

#include "silt/core/macros.h"

namespace silt {

/// Counter-based random numbers: the same (seed, id, step) gives the same number on any device and in any order.
/// A 64-bit finaliser (after Stafford's variant 13 of the MurmurHash3 mixer) over the three counters.
SILT_HD constexpr std::uint64_t mix_bits(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

SILT_HD constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t id, std::uint64_t step) {
  return mix_bits(mix_bits(mix_bits(seed + 0x9e3779b97f4a7c15ull) ^ id) + step * 0x9e3779b97f4a7c15ull);
}

/// Uniform in [0, 1), 53 bits.
SILT_HD constexpr double random_unit(std::uint64_t seed, std::uint64_t id, std::uint64_t step) {
  return double(random_bits(seed, id, step) >> 11) * 0x1.0p-53;
}

}  // namespace silt

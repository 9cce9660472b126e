#pragma once

#include <cstdint>

#include "silt/core/random.h"
#include "silt/core/vec.h"

namespace silt {

/// Two numbers in [0, 1).
struct Pair {
  float u, v;
};

inline std::uint32_t reversed_bits(std::uint32_t v) {
  v = __builtin_bswap32(v);
  v = ((v >> 4) & 0x0f0f0f0fu) | ((v & 0x0f0f0f0fu) << 4);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  return ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
}

/// A random tree of swaps [Owen 1995] as a hash: every bit is flipped by a function of the bits below it
/// [Laine & Karras 2011, the constants of Burley 2020]. Of numbers whose bits are reversed.
inline std::uint32_t scrambled(std::uint32_t v, std::uint32_t seed) {
  v += seed;
  v ^= v * 0x6c50b47cu;
  v ^= v * 0xb82f1e52u;
  v ^= v * 0xc7afe638u;
  v ^= v * 0x8d22f6e6u;
  return v;
}

/// The second dimension of Sobol's sequence, bits reversed. Its matrix is Pascal's triangle mod 2, where C(k, j) is odd
/// when the bits of j are among those of k: a sum over supersets, five steps instead of 32.
inline std::uint32_t pascal_bits(std::uint32_t v) {
  v ^= (v >> 16) & 0x0000ffffu;
  v ^= (v >> 8) & 0x00ff00ffu;
  v ^= (v >> 4) & 0x0f0f0f0fu;
  v ^= (v >> 2) & 0x33333333u;
  v ^= (v >> 1) & 0x55555555u;
  return v;
}

/// The random numbers of one path: the same for a seed, a pixel and a sample, whoever computes it. Pairs are points of
/// Sobol's sequence, scrambled and shuffled anew for each pair [Burley 2020, Practical hash-based Owen scrambling];
/// single numbers, of which a way through smoke takes many, come from a counter.
class Sampler {
 public:
  Sampler(std::uint64_t seed, std::uint64_t pixel, std::uint32_t sample)
      : pixel_(random_bits(seed, pixel, 0)), sample_(sample), counter_(random_bits(pixel_, sample, 1)) {}

  Pair pair() {
    const std::uint64_t seeds = random_bits(pixel_, ++pairs_, 2);
    const auto low = std::uint32_t(seeds), high = std::uint32_t(seeds >> 32);
    const std::uint32_t index = reversed_bits(scrambled(reversed_bits(sample_), low ^ 0x9e3779b9u));
    return {unit(reversed_bits(scrambled(index, low))), unit(reversed_bits(scrambled(pascal_bits(index), high)))};
  }

  /// Three numbers at once, of 21 bits each.
  Vec3f three() {
    const std::uint64_t bits = next();
    constexpr std::uint64_t mask = (1u << 21) - 1;
    return Vec3f{float(bits & mask), float((bits >> 21) & mask), float((bits >> 42) & mask)} * 0x1.0p-21f;
  }

  float one() { return unit(std::uint32_t(next() >> 32)); }

 private:
  std::uint64_t next() { return mix_bits(counter_ += 0x9e3779b97f4a7c15ull); }
  static float unit(std::uint32_t bits) { return float(bits >> 8) * 0x1.0p-24f; }

  std::uint64_t pixel_;
  std::uint32_t sample_, pairs_ = 0;
  std::uint64_t counter_;
};

}  // namespace silt

#include "silt/render/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace silt {
namespace {

// Sobol's second dimension by its direction numbers: v_0 = 1/2, v_k = v_{k-1} ^ (v_{k-1} >> 1).
TEST(Sampler, TheFastSobolSequenceIsSobols) {
  for (const std::uint32_t index : {0u, 1u, 2u, 3u, 5u, 100u, 65535u, 123456789u, 4294967295u}) {
    std::uint32_t expected = 0, v = 1u << 31;
    for (int k = 0; k < 32; ++k, v ^= v >> 1)
      if (index >> k & 1) expected ^= v;
    EXPECT_EQ(reversed_bits(pascal_bits(index)), expected) << index;
  }
}

// 64 pairs have one in each of 64 rectangles of any shape of that area: the property that makes them better than
// random, and that scrambling and shuffling must keep.
TEST(Sampler, PairsAreSpreadEvenly) {
  for (const int across : {1, 4, 8, 64})
    for (int dimension = 0; dimension < 6; ++dimension) {
      std::set<int> boxes;
      for (std::uint32_t i = 0; i < 64; ++i) {
        Sampler sampler(7, 11, i);
        Pair p = sampler.pair();
        for (int d = 0; d < dimension; ++d) p = sampler.pair();
        boxes.insert(int(p.u * float(across)) * 64 + int(p.v * float(64 / across)));
      }
      EXPECT_EQ(boxes.size(), 64u) << across << ' ' << dimension;
    }
}

TEST(Sampler, PixelsAndDimensionsDiffer) {
  double together = 0;
  for (std::uint32_t i = 0; i < 4096; ++i) {
    Sampler a(1, 5, i), b(1, 6, i);
    const Pair p = a.pair(), q = b.pair(), r = a.pair();
    together += (p.u - 0.5) * (q.u - 0.5) + (p.u - 0.5) * (r.u - 0.5) + (a.one() - 0.5) * (b.one() - 0.5);
  }
  EXPECT_LT(std::abs(together / 4096), 0.01);
}

}  // namespace
}  // namespace silt

#include "silt/core/vec.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <sstream>

#include "silt/core/box.h"
#include "silt/core/random.h"

namespace silt {
namespace {

TEST(Vec3, Arithmetic) {
  constexpr Vec3d a{1, 2, 3}, b{-4, 5, 0.5};
  static_assert(a + b == Vec3d{-3, 7, 3.5});
  static_assert(a - b == Vec3d{5, -3, 2.5});
  static_assert(-a == Vec3d{-1, -2, -3});
  static_assert(2.0 * a == a * 2.0 && a * 2.0 == Vec3d{2, 4, 6});
  static_assert(a * b == Vec3d{-4, 10, 1.5});
  static_assert(a / 2.0 == Vec3d{0.5, 1, 1.5});
  static_assert(dot(a, b) == 7.5);
  static_assert(min(a, b) == Vec3d{-4, 2, 0.5} && max(a, b) == Vec3d{1, 5, 3});
  static_assert(Vec3d{1.9, -1.9, 0}.as<int>() == Int3{1, -1, 0});
  EXPECT_DOUBLE_EQ(length(Vec3d{2, -3, 6}), 7);
  EXPECT_EQ(normalized(Vec3d{0, 0, -5}), (Vec3d{0, 0, -1}));
  EXPECT_EQ(normalized(Vec3d{}), Vec3d{});
}

TEST(Vec3, CrossProductIsRightHandedAndPerpendicular) {
  static_assert(cross(Vec3d{1, 0, 0}, Vec3d{0, 1, 0}) == Vec3d{0, 0, 1});
  static_assert(cross(Vec3d{0, 1, 0}, Vec3d{0, 0, 1}) == Vec3d{1, 0, 0});
  constexpr Vec3d a{1, 2, 3}, b{-4, 5, 7};
  static_assert(dot(cross(a, b), a) == 0 && dot(cross(a, b), b) == 0);
}

TEST(Vec3, IndexingReachesEveryComponent) {
  Int3 v{7, 8, 9};
  for (int a = 0; a < 3; ++a) {
    EXPECT_EQ(v[a], 7 + a);
    EXPECT_EQ(unit(a)[a], 1);
    EXPECT_EQ(dot(unit(a), Int3{1, 1, 1}), 1);
    v[a] = -a;
  }
  EXPECT_EQ(v, (Int3{0, -1, -2}));
  std::ostringstream text;
  text << v;
  EXPECT_EQ(text.str(), "[0, -1, -2]");
}

TEST(Box, CountsAndContains) {
  constexpr Box b{{-3, 0, 2}, {2, 1, 9}};
  static_assert(b.count() == 35 && b.size() == Int3{5, 1, 7} && !b.empty());
  static_assert(b.contains(b.lo) && !b.contains(b.hi) && b.contains(Cell{1, 0, 8}));
  static_assert(!b.contains(Cell{-4, 0, 2}) && !b.contains(Cell{0, 1, 2}) && !b.contains(Cell{0, 0, 9}));
  // Sizes beyond 32 bits must not overflow.
  static_assert(Box{{0, 0, 0}, {5000, 5000, 5000}}.count() == 125'000'000'000);
  constexpr Box backwards{{4, 0, 0}, {1, 5, 5}};
  static_assert(backwards.empty() && backwards.count() == 0 && b.contains(backwards));
}

TEST(Box, IntersectHullGrow) {
  constexpr Box a{{-4, -4, 0}, {4, 4, 1}}, b{{0, -9, 0}, {9, 9, 1}}, apart{{20, 0, 0}, {21, 1, 1}};
  static_assert(intersect(a, b) == Box{{0, -4, 0}, {4, 4, 1}});
  static_assert(intersect(a, apart).empty());
  static_assert(hull(a, b) == Box{{-4, -9, 0}, {9, 9, 1}});
  static_assert(hull(a, Box{}) == a && hull(Box{}, a) == a);
  static_assert(grow(a, {1, 2, 0}) == Box{{-5, -6, 0}, {5, 6, 1}});
  static_assert(a.contains(Box{{-4, -4, 0}, {4, 4, 1}}) && !a.contains(b));
}

// Resumed and repeated runs meet the same numbers, so they may never change: the mixer is that of splitmix64, whose
// first output from state 0 is published.
TEST(Random, IsAFixedFunctionOfItsCounters) {
  static_assert(mix_bits(0x9e3779b97f4a7c15ull) == 0xe220a8397b1dcdafull);
  static_assert(random_bits(1, 2, 3) == random_bits(1, 2, 3));
  static_assert(random_bits(0, 0, 0) == mix_bits(mix_bits(0xe220a8397b1dcdafull)));
  static_assert(random_unit(1, 2, 3) >= 0 && random_unit(1, 2, 3) < 1);
}

using Draw = double (*)(std::uint64_t);
constexpr std::array<Draw, 3> draws{[](std::uint64_t n) { return random_unit(n, 7, 11); },
                                    [](std::uint64_t n) { return random_unit(7, n, 11); },
                                    [](std::uint64_t n) { return random_unit(7, 11, n); }};

// Along each counter alone the numbers look uniform and neighbours look independent.
TEST(Random, UniformAlongEveryCounter) {
  constexpr int n = 1 << 16, bins = 64;
  for (const Draw& draw : draws) {
    std::array<int, bins> count{};
    double sum = 0, products = 0, before = draw(n) - 0.5;
    for (int i = 0; i < n; ++i) {
      const double u = draw(std::uint64_t(i));
      ASSERT_GE(u, 0);
      ASSERT_LT(u, 1);
      ++count[std::size_t(u * bins)];
      sum += u;
      products += before * (u - 0.5);
      before = u - 0.5;
    }
    double chi2 = 0;
    const double expected = double(n) / bins;
    for (int c : count) chi2 += (c - expected) * (c - expected) / expected;
    EXPECT_NEAR(sum / n, 0.5, 5 / std::sqrt(12.0 * n));            // five standard deviations
    EXPECT_NEAR(chi2, bins - 1, 5 * std::sqrt(2.0 * (bins - 1)));  // too even is as wrong as too uneven
    EXPECT_NEAR(12 * products / n, 0, 5 / std::sqrt(double(n)));   // correlation of neighbours
  }
}

TEST(Random, NeighbouringCountersShareNoBits) {
  for (const Int3 step : {unit(0), unit(1), unit(2)}) {
    double flipped = 0;
    constexpr int n = 4096;
    for (int i = 0; i < n; ++i) {
      const std::uint64_t a = random_bits(i, 3 * i, 5 * i);
      const std::uint64_t b = random_bits(i + step.x, 3 * i + step.y, 5 * i + step.z);
      EXPECT_NE(a, b);
      flipped += std::popcount(a ^ b);
    }
    EXPECT_NEAR(flipped / n, 32, 5 * 4 / std::sqrt(double(n)));
  }
}

}  // namespace
}  // namespace silt

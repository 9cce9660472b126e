#include "silt/core/scan_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "silt/core/random.h"

namespace silt {
namespace {

constexpr std::size_t sizes[] = {0, 1, 2, 3, 1000, 100003};
constexpr int thread_counts[] = {1, 2, 3, 8};

template <class T>
Buffer<T> buffer_of(const std::vector<T>& values) {
  Buffer<T> b(values.size());
  std::copy(values.begin(), values.end(), b.host());
  return b;
}

template <class T>
std::vector<T> values_of(const Buffer<T>& b) {
  return {b.host(), b.host() + b.size()};
}

TEST(ExclusiveScan, AgreesWithTheStandardLibrary) {
  for (std::size_t n : sizes) {
    std::vector<std::uint32_t> in(n), expected(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = std::uint32_t(random_bits(1, i, n) % 1000);
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0u);
    const std::uint32_t total = std::accumulate(in.begin(), in.end(), 0u);
    for (int threads : thread_counts) {
      const Exec exec(Device::cpu, threads);
      Buffer<std::uint32_t> data = buffer_of(in), out(n);
      EXPECT_EQ(exclusive_scan(exec, data, out), total);
      EXPECT_EQ(values_of(out), expected) << n << " items, " << threads << " threads";
      EXPECT_EQ(values_of(data), in);
      EXPECT_EQ(exclusive_scan(exec, data, data), total);
      EXPECT_EQ(values_of(data), expected) << "in place, " << n << " items, " << threads << " threads";
    }
  }
}

/// Sorts keys below 2^bits with many repeats and compares with std::stable_sort. Values are the original positions, so
/// that an unstable sort shows.
template <class Key>
void check_sort(std::size_t n, int threads, int bits, int key_bits) {
  const Key mask = bits == int(8 * sizeof(Key)) ? ~Key(0) : (Key(1) << bits) - 1;
  std::vector<std::pair<Key, std::uint32_t>> expected(n);
  std::vector<Key> keys(n);
  std::vector<std::uint32_t> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random_bits(2, i, std::uint64_t(bits));
    keys[i] = Key(i % 3 ? r : random_bits(3, r % 50, 0)) & mask;  // one in three comes from fifty keys only
    values[i] = std::uint32_t(i);
    expected[i] = {keys[i], values[i]};
  }
  std::stable_sort(expected.begin(), expected.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Buffer<Key> sorted_keys = buffer_of(keys);
  Buffer<std::uint32_t> sorted_values = buffer_of(values);
  sort_by_key(Exec(Device::cpu, threads), sorted_keys, sorted_values, key_bits);
  ASSERT_EQ(sorted_keys.size(), n);
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(sorted_keys.host()[i], expected[i].first) << i << " of " << n << ", " << bits << " bits";
    ASSERT_EQ(sorted_values.host()[i], expected[i].second) << i << " of " << n << ", " << bits << " bits";
  }
}

TEST(SortByKey, AgreesWithAStableSort) {
  for (std::size_t n : sizes)
    for (int threads : thread_counts) {
      check_sort<std::uint32_t>(n, threads, 32, 32);
      check_sort<std::uint64_t>(n, threads, 64, 64);
    }
}

TEST(SortByKey, AsManyBitsAsTheLargestKeyNeeds) {
  for (int bits : {1, 7, 8, 9, 13, 16, 17, 31, 32}) check_sort<std::uint32_t>(3000, 3, bits, bits);
  for (int bits : {1, 8, 33, 40, 50, 63, 64}) check_sort<std::uint64_t>(3000, 3, bits, bits);
}

TEST(SortByKey, BitsAboveThoseAskedForAreNotLookedAt) {
  for (int key_bits : {4, 8, 12}) {
    Buffer<std::uint32_t> keys(2), values(2);
    keys.host()[0] = 1u << key_bits;  // 0 in the bits that count
    keys.host()[1] = 0;
    values.host()[1] = 1;
    sort_by_key(Exec(Device::cpu, 2), keys, values, key_bits);
    EXPECT_EQ(keys.host()[0], 1u << key_bits) << key_bits;
    EXPECT_EQ(values.host()[0], 0u) << key_bits;
  }
}

}  // namespace
}  // namespace silt

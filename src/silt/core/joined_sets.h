#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

namespace silt {

/// Sets of numbers that grow together. The first of a set is its root, whoever joins them, in whatever order and from
/// however many threads.
class JoinedSets {
 public:
  explicit JoinedSets(std::size_t n) : parent_(n) {
    for (std::size_t i = 0; i < n; ++i) parent_[i] = std::uint32_t(i);
  }
  std::uint32_t root(std::uint32_t i) {
    for (std::uint32_t up = load(i); up != i; up = load(i)) {
      const std::uint32_t higher = load(up);
      std::atomic_ref(parent_[i]).store(higher, std::memory_order_relaxed);  // shortens the way for who comes next
      i = higher;
    }
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    for (;;) {
      a = root(a), b = root(b);
      if (a == b) return;
      if (a > b) std::swap(a, b);
      std::uint32_t expected = b;
      if (std::atomic_ref(parent_[b]).compare_exchange_strong(expected, a, std::memory_order_relaxed)) return;
    }
  }

 private:
  std::uint32_t load(std::uint32_t i) { return std::atomic_ref(parent_[i]).load(std::memory_order_relaxed); }
  std::vector<std::uint32_t> parent_;
};

}  // namespace silt

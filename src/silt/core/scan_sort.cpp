#include "silt/core/scan_sort.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "silt/core/error.h"

namespace silt {

namespace cuda {
std::uint32_t exclusive_scan(const std::uint32_t* in, std::uint32_t* out, std::size_t n);
void sort_pairs(std::uint32_t* keys, std::uint32_t* values, std::size_t n, int key_bits);
void sort_pairs(std::uint64_t* keys, std::uint32_t* values, std::size_t n, int key_bits);
#if !defined(SILT_CUDA)
std::uint32_t exclusive_scan(const std::uint32_t*, std::uint32_t*, std::size_t) {
  throw Error("scan: no CUDA in this build");
}
void sort_pairs(std::uint32_t*, std::uint32_t*, std::size_t, int) {
  throw Error("sort: no CUDA in this build");
}
void sort_pairs(std::uint64_t*, std::uint32_t*, std::size_t, int) {
  throw Error("sort: no CUDA in this build");
}
#endif
}  // namespace cuda

namespace {

/// The n items, cut into one contiguous part a thread. Integers add exactly, so the cut does not show in the result.
struct Parts {
  std::size_t n;
  int count;
  std::size_t begin(int part) const { return n * part / count; }
};

std::uint32_t host_scan(int threads, const std::uint32_t* in, std::uint32_t* out, std::size_t n) {
  const Parts parts{n, threads};
  std::vector<std::uint32_t> offset(threads + 1, 0);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int p = 0; p < threads; ++p) {
    std::uint32_t sum = 0;
    for (std::size_t i = parts.begin(p); i < parts.begin(p + 1); ++i) sum += in[i];
    offset[p + 1] = sum;
  }
  for (int p = 0; p < threads; ++p) offset[p + 1] += offset[p];
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int p = 0; p < threads; ++p) {
    std::uint32_t sum = offset[p];
    for (std::size_t i = parts.begin(p); i < parts.begin(p + 1); ++i) {
      const std::uint32_t value = in[i];
      out[i] = sum;
      sum += value;
    }
  }
  return offset[threads];
}

constexpr int digit_bits = 8;
constexpr int digits = 1 << digit_bits;

/// One pass of a least-significant-digit radix sort. Stable, so the order of threads' parts is the order of the items.
template <class Key>
void radix_pass(int threads, const Key* keys, const std::uint32_t* values, Key* keys_out, std::uint32_t* values_out,
                std::size_t n, int shift, Key mask) {
  const Parts parts{n, threads};
  std::vector<std::array<std::size_t, digits>> start(threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int p = 0; p < threads; ++p) {
    start[p].fill(0);
    for (std::size_t i = parts.begin(p); i < parts.begin(p + 1); ++i) ++start[p][(keys[i] >> shift) & mask];
  }
  std::size_t sum = 0;
  for (int d = 0; d < digits; ++d)
    for (int p = 0; p < threads; ++p) {
      const std::size_t count = start[p][d];
      start[p][d] = sum;
      sum += count;
    }
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int p = 0; p < threads; ++p)
    for (std::size_t i = parts.begin(p); i < parts.begin(p + 1); ++i) {
      const std::size_t to = start[p][(keys[i] >> shift) & mask]++;
      keys_out[to] = keys[i];
      values_out[to] = values[i];
    }
}

}  // namespace

std::uint32_t exclusive_scan(const Exec& exec, const Buffer<std::uint32_t>& in, Buffer<std::uint32_t>& out) {
  assert(in.size() == out.size());
  if (in.size() == 0) return 0;
  const std::uint32_t* from = in.read(exec);
  if (!exec.on_cpu()) return cuda::exclusive_scan(from, out.write(exec), in.size());
  return host_scan(exec.threads(), from, out.write(exec), in.size());
}

template <class Key>
void sort_by_key(const Exec& exec, Buffer<Key>& keys, Buffer<std::uint32_t>& values, int key_bits) {
  assert(keys.size() == values.size());
  if (keys.size() < 2) return;
  if (!exec.on_cpu()) return cuda::sort_pairs(keys.update(exec), values.update(exec), keys.size(), key_bits);
  Buffer<Key> other_keys(keys.size());
  Buffer<std::uint32_t> other_values(values.size());
  for (int shift = 0; shift < key_bits; shift += digit_bits) {
    radix_pass(exec.threads(), keys.read(exec), values.read(exec), other_keys.write(exec), other_values.write(exec),
               keys.size(), shift, (Key(1) << std::min(digit_bits, key_bits - shift)) - 1);
    std::swap(keys, other_keys);
    std::swap(values, other_values);
  }
}

template void sort_by_key(const Exec&, Buffer<std::uint32_t>&, Buffer<std::uint32_t>&, int);
template void sort_by_key(const Exec&, Buffer<std::uint64_t>&, Buffer<std::uint32_t>&, int);

}  // namespace silt

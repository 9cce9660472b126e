// CUB's scan and radix sort behind core/scan_sort.h, for the keys we use. CUB's headers stay in this file.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "silt/core/buffer.h"
#include "silt/core/cuda/launch.cuh"

namespace silt::cuda {

using detail::cuda::check;

std::uint32_t exclusive_scan(const std::uint32_t* in, std::uint32_t* out, std::size_t n) {
  std::uint32_t last_in = 0, last_out = 0;
  check(cudaMemcpy(&last_in, in + n - 1, sizeof last_in, cudaMemcpyDeviceToHost), "scan");
  std::size_t bytes = 0;
  check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, in, out, n), "scan");
  void* scratch = device_memory::allocate(bytes);
  check(cub::DeviceScan::ExclusiveSum(scratch, bytes, in, out, n), "scan");
  check(cudaMemcpy(&last_out, out + n - 1, sizeof last_out, cudaMemcpyDeviceToHost), "scan");
  device_memory::release(scratch);
  return last_in + last_out;
}

template <class Key>
static void sort(Key* keys, std::uint32_t* values, std::size_t n, int key_bits) {
  Key* keys_out = static_cast<Key*>(device_memory::allocate(n * sizeof(Key)));
  auto* values_out = static_cast<std::uint32_t*>(device_memory::allocate(n * sizeof(std::uint32_t)));
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, keys_out, values, values_out, n, 0, key_bits), "sort");
  void* scratch = device_memory::allocate(bytes);
  check(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, keys_out, values, values_out, n, 0, key_bits), "sort");
  check(cudaMemcpy(keys, keys_out, n * sizeof(Key), cudaMemcpyDeviceToDevice), "sort");
  check(cudaMemcpy(values, values_out, n * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice), "sort");
  for (void* p : {scratch, static_cast<void*>(keys_out), static_cast<void*>(values_out)}) device_memory::release(p);
}

void sort_pairs(std::uint32_t* keys, std::uint32_t* values, std::size_t n, int key_bits) {
  sort(keys, values, n, key_bits);
}
void sort_pairs(std::uint64_t* keys, std::uint32_t* values, std::size_t n, int key_bits) {
  sort(keys, values, n, key_bits);
}

}  // namespace silt::cuda

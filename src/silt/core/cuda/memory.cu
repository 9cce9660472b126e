#include <cuda_runtime.h>

#include "silt/core/cuda/launch.cuh"
#include "silt/core/device_memory.h"

namespace silt {

using detail::cuda::check;

namespace device_memory {

bool available() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

void* allocate(std::size_t bytes) {
  void* pointer = nullptr;
  check(cudaMalloc(&pointer, bytes), "allocating device memory");
  return pointer;
}

void release(void* pointer) noexcept {
  cudaFree(pointer);
}

void to_device(void* device, const void* host, std::size_t bytes) {
  check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copying to the device");
}

void to_host(void* host, const void* device, std::size_t bytes) {
  check(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "copying from the device");
}

void copy(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copying on the device");
}

void synchronize() {
  check(cudaDeviceSynchronize(), "waiting for the device");
}

}  // namespace device_memory

namespace detail::cuda {

double* reduction_scratch(std::size_t count) {
  // One process drives one device from one thread, so one scratch array serves every reduction.
  static double* scratch = nullptr;
  static std::size_t capacity = 0;
  if (count > capacity) {
    if (scratch) cudaFree(scratch);
    check(cudaMalloc(&scratch, count * sizeof(double)), "allocating reduction scratch");
    capacity = count;
  }
  return scratch;
}

}  // namespace detail::cuda

}  // namespace silt

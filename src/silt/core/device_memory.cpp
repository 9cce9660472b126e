// Without CUDA there is no device memory; with it, core/cuda/memory.cu stands here.
#if !defined(SILT_CUDA)

#include "silt/core/device_memory.h"

#include "silt/core/error.h"

namespace silt::device_memory {

namespace {
[[noreturn]] void no_device() {
  throw Error("this build of silt has no CUDA: there is no device memory");
}
}  // namespace

bool available() {
  return false;
}
void* allocate(std::size_t) {
  no_device();
}
void release(void*) noexcept {}
void to_device(void*, const void*, std::size_t) {
  no_device();
}
void to_host(void*, const void*, std::size_t) {
  no_device();
}
void copy(void*, const void*, std::size_t) {
  no_device();
}
void synchronize() {}

}  // namespace silt::device_memory

#endif

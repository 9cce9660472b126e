#pragma once

#include <cstddef>

/// Raw device memory, implemented in core/cuda/memory.cu; without CUDA these throw.
namespace silt::device_memory {

bool available();                   ///< this build has CUDA and this machine a GPU
void* allocate(std::size_t bytes);  ///< throws silt::Error when the card is full
void release(void* pointer) noexcept;
void to_device(void* device, const void* host, std::size_t bytes);
void to_host(void* host, const void* device, std::size_t bytes);
void copy(void* to, const void* from, std::size_t bytes);  ///< device to device
void synchronize();

}  // namespace silt::device_memory

#pragma once

#include <cstddef>

/// Raw host memory for arrays. Large ones ask the system for huge pages: a system that clears and maps 4 KiB at a time
/// takes longer to hand out a 128^3 hierarchy than a Poisson solve on it takes.
namespace silt::host_memory {

inline constexpr std::size_t alignment = 64;   ///< bytes, at least
inline constexpr std::size_t large = 4 << 20;  ///< bytes, from which on memory is mapped by itself
void* allocate_zero(std::size_t bytes);        ///< throws std::bad_alloc when there is none
void release(void* pointer, std::size_t bytes) noexcept;

}  // namespace silt::host_memory

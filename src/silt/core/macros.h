#pragma once

/// Marks what both a CPU loop and a CUDA kernel may call.
#if defined(__CUDACC__)
#define SILT_HD __host__ __device__
#else
#define SILT_HD
#endif

/// The same, and always inlined: for what stands in the innermost loop and would keep it from being vectorised as a
/// call.
#if defined(__CUDACC__)
#define SILT_HD_INLINE __host__ __device__ __forceinline__
#else
#define SILT_HD_INLINE [[gnu::always_inline]] inline
#endif

#pragma once

/// Marks what both a CPU loop and a CUDA kernel may call.
#if defined(__CUDACC__)
#define SILT_HD __host__ __device__
#else
#define SILT_HD
#endif

/// The same, and always inlined: for what stands in the innermost loop and would keep it from being vectorised as a
/// call. SILT_FLATTEN: what a function calls is inlined into it. SILT_UNROLL, before a short loop: it is written out.
/// None is forced under a sanitizer, which nobody asks for speed: its checks, repeated wherever a function is inlined,
/// take minutes to compile.
#if defined(__CUDACC__)
#define SILT_HD_INLINE __host__ __device__ __forceinline__
#define SILT_FLATTEN
#define SILT_UNROLL _Pragma("unroll")
#elif defined(__SANITIZE_ADDRESS__)
#define SILT_HD_INLINE inline
#define SILT_FLATTEN
#define SILT_UNROLL
#else
#define SILT_HD_INLINE [[gnu::always_inline]] inline
#define SILT_FLATTEN [[gnu::flatten]]
#define SILT_UNROLL _Pragma("GCC unroll 8")
#endif

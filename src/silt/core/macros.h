#pragma once

/// Marks what both a CPU loop and a CUDA kernel may call.
#if defined(__CUDACC__)
#define SILT_HD __host__ __device__
#else
#define SILT_HD
#endif

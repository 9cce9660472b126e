#pragma once

/// CUDA's side of core/loops.h. The only place with <<<>>> besides cuda/*.cu.

#include <cuda_runtime.h>

#include <cstdint>
#include <string>
#include <vector>

#include "silt/core/box.h"
#include "silt/core/error.h"
#include "silt/core/reduction.h"

namespace silt::detail::cuda {

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) throw Error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(status));
}

/// Device memory for a reduction's partial results, grown when needed and kept.
double* reduction_scratch(std::size_t count);

inline constexpr int row_threads = 128;  // threads along x
inline constexpr int rows_per_block = 2;
inline constexpr int planes_per_thread = 2;  // fewer blocks to start: 5 to 20 % on an H200 at 256^3; more costs again

template <class Kernel>
__global__ void __launch_bounds__(row_threads* rows_per_block) cells_kernel(Box box, Kernel kernel) {
  const int x = box.lo.x + int(blockIdx.x) * row_threads + int(threadIdx.x);
  const int y = box.lo.y + int(blockIdx.y) * rows_per_block + int(threadIdx.y);
  if (x >= box.hi.x || y >= box.hi.y) return;
  for (int z = box.lo.z + int(blockIdx.z); z < box.hi.z; z += int(gridDim.z)) kernel(Cell{x, y, z});
}

template <class Kernel>
void for_each_cell(const char* name, const Box& box, const Kernel& kernel) {
  const Int3 n = box.size();
  const dim3 threads(row_threads, rows_per_block);
  const dim3 blocks((n.x + row_threads - 1) / row_threads, (n.y + rows_per_block - 1) / rows_per_block,
                    (n.z + planes_per_thread - 1) / planes_per_thread);
  cells_kernel<<<blocks, threads>>>(box, kernel);
  check(cudaGetLastError(), name);
}

template <class Kernel>
__global__ void tiles_kernel(Box box, const Int3* tiles, Int3 tile, Kernel kernel) {
  const Int3 lo = tiles[blockIdx.x] * tile;
  for (int n = int(threadIdx.x); n < tile.x * tile.y * tile.z; n += int(blockDim.x)) {
    const Cell c = lo + Int3{n % tile.x, n / tile.x % tile.y, n / (tile.x * tile.y)};
    if (box.contains(c)) kernel(c);
  }
}

template <class Kernel>
void for_each_tile_cell(const char* name, const Box& box, const Int3* tiles, std::int64_t count, Int3 tile,
                        const Kernel& kernel) {
  tiles_kernel<<<unsigned(count), 128>>>(box, tiles, tile, kernel);
  check(cudaGetLastError(), name);
}

template <class Kernel>
__global__ void index_kernel(std::int64_t count, Kernel kernel) {
  const std::int64_t stride = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) kernel(i);
}

template <class Kernel>
void for_each_index(const char* name, std::int64_t count, const Kernel& kernel) {
  const std::int64_t blocks = (count + 127) / 128;
  index_kernel<<<unsigned(blocks < (1 << 20) ? blocks : (1 << 20)), 128>>>(count, kernel);
  check(cudaGetLastError(), name);
}

/// Each block reduces its own fixed set of cells in a fixed tree: the same bits on every run.
template <class Op, class Kernel>
__global__ void __launch_bounds__(256) reduce_kernel(Box box, Kernel kernel, typename Reduction<Op>::Value* partial) {
  using Value = typename Reduction<Op>::Value;
  __shared__ Value shared[256];
  const Int3 n = box.size();
  const int rows = n.y * n.z;
  Value mine = Reduction<Op>::start();
  for (int row = int(blockIdx.x); row < rows; row += int(gridDim.x)) {
    const int y = box.lo.y + row % n.y, z = box.lo.z + row / n.y;
    for (int x = box.lo.x + int(threadIdx.x); x < box.hi.x; x += 256)
      mine = Op::combine(mine, Value(kernel(Cell{x, y, z})));
  }
  shared[threadIdx.x] = mine;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) shared[threadIdx.x] = Op::combine(shared[threadIdx.x], shared[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = shared[0];
}

template <class Op, class Kernel>
typename Reduction<Op>::Value reduce(const char* name, const Box& box, const Kernel& kernel) {
  using Value = typename Reduction<Op>::Value;
  const Int3 n = box.size();
  const std::int64_t rows = std::int64_t(n.y) * n.z;
  const int blocks = int(rows < 2048 ? rows : 2048);
  auto* partial = reinterpret_cast<Value*>(reduction_scratch(blocks * (sizeof(Value) / sizeof(double))));
  reduce_kernel<Op><<<blocks, 256>>>(box, kernel, partial);
  check(cudaGetLastError(), name);
  std::vector<Value> host(blocks);
  check(cudaMemcpy(host.data(), partial, blocks * sizeof(Value), cudaMemcpyDeviceToHost), name);
  Value total = Reduction<Op>::start();
  for (const Value& p : host) total = Op::combine(total, p);
  return total;
}

}  // namespace silt::detail::cuda

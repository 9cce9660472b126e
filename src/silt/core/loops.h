#pragma once

/// The loops every kernel runs in. A kernel is a *named struct* with a SILT_HD operator(); the loop decides where it
/// runs. Only KERNELS sources include this header: nvcc compiles them in a CUDA build, g++ otherwise.
///
///   for_each_cell(exec, "divergence", box, Divergence{...});      kernel(Cell)
///   for_each_index(exec, "kick", n, Kick{...});                   kernel(std::int64_t)
///   reduce<Sum>(exec, "energy", box, KineticEnergy{...});         double kernel(Cell)
///   reduce<Each<Sum, Max>>(exec, "norms", box, Norms{...});       Several<2> kernel(Cell): several in one pass
///
/// The x loop is innermost and free of dependences between its iterations, so that the compiler may vectorise it: a
/// kernel may read what it writes only in its own cell. `name` is for traces and error messages.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "silt/core/box.h"
#include "silt/core/exec.h"
#include "silt/core/reduction.h"

#if defined(__CUDACC__)
#include "silt/core/cuda/launch.cuh"
#else
#include "silt/core/error.h"
#endif

namespace silt {

namespace detail {

#if !defined(__CUDACC__)
namespace cuda {
[[noreturn]] inline void not_compiled(const char* name) {
  throw Error(std::string("kernel '") + name + "' was not compiled for CUDA");
}
template <class Kernel>
void for_each_cell(const char* name, const Box&, const Kernel&) {
  not_compiled(name);
}
template <class Kernel>
void for_each_tile_cell(const char* name, const Box&, const Int3*, std::int64_t, Int3, const Kernel&) {
  not_compiled(name);
}
template <class Kernel>
void for_each_index(const char* name, std::int64_t, const Kernel&) {
  not_compiled(name);
}
template <class Op, class Kernel>
typename Reduction<Op>::Value reduce(const char* name, const Box&, const Kernel&) {
  not_compiled(name);
}
}  // namespace cuda
#endif

/// Reduces one row of cells in 8 interleaved lanes, always combined in the same order.
template <class Op, class Kernel>
typename Reduction<Op>::Value reduce_row(const Kernel& kernel, int x0, int x1, int y, int z) {
  using Value = typename Reduction<Op>::Value;
  constexpr int lanes = 8;
  Value lane[lanes];
  for (Value& l : lane) l = Reduction<Op>::start();
  int x = x0;
  for (; x + lanes <= x1; x += lanes)
    for (int l = 0; l < lanes; ++l) lane[l] = Op::combine(lane[l], Value(kernel(Cell{x + l, y, z})));
  for (int l = 0; x < x1; ++x, ++l) lane[l] = Op::combine(lane[l], Value(kernel(Cell{x, y, z})));
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lane[l] = Op::combine(lane[l], lane[l + half]);
  return lane[0];
}

}  // namespace detail

template <class Kernel>
void for_each_cell(const Exec& exec, [[maybe_unused]] const char* name, const Box& box, const Kernel& kernel_in) {
  if (box.empty()) return;
  if (!exec.on_cpu()) return detail::cuda::for_each_cell(name, box, kernel_in);
#pragma omp parallel num_threads(exec.threads()) if (exec.shares(box.count()))
  {
    const Kernel kernel = kernel_in;  // a private copy: its pointers are then known not to change during the row
#pragma omp for collapse(2) schedule(static)
    for (int z = box.lo.z; z < box.hi.z; ++z)
      for (int y = box.lo.y; y < box.hi.y; ++y) {
#pragma GCC ivdep
        for (int x = box.lo.x; x < box.hi.x; ++x) kernel(Cell{x, y, z});
      }
  }
}

/// The cells of `count` tiles, clipped to `box`. `tiles` holds tile indices: tile t covers cells t * tile to (t + 1) *
/// tile.
template <class Kernel>
void for_each_tile_cell(const Exec& exec, const char* name, const Box& box, const Int3* tiles, std::int64_t count,
                        Int3 tile, const Kernel& kernel_in) {
  if (count == 0 || box.empty()) return;
  if (!exec.on_cpu()) return detail::cuda::for_each_tile_cell(name, box, tiles, count, tile, kernel_in);
#pragma omp parallel num_threads(exec.threads()) if (exec.shares(count * tile.x * tile.y * tile.z))
  {
    const Kernel kernel = kernel_in;
#pragma omp for schedule(static)
    for (std::int64_t t = 0; t < count; ++t) {
      const Int3 lo = tiles[t] * tile;
      const Box cells = intersect(Box{lo, lo + tile}, box);
      for (int z = cells.lo.z; z < cells.hi.z; ++z)
        for (int y = cells.lo.y; y < cells.hi.y; ++y) {
#pragma GCC ivdep
          for (int x = cells.lo.x; x < cells.hi.x; ++x) kernel(Cell{x, y, z});
        }
    }
  }
}

/// `cells_each`: how many cells' work one index is, to judge whether the loop is worth sharing.
template <class Kernel>
void for_each_index(const Exec& exec, const char* name, std::int64_t count, const Kernel& kernel_in,
                    std::int64_t cells_each = 1) {
  if (count <= 0) return;
  if (!exec.on_cpu()) return detail::cuda::for_each_index(name, count, kernel_in);
#pragma omp parallel num_threads(exec.threads()) if (exec.shares(count * cells_each))
  {
    const Kernel kernel = kernel_in;
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < count; ++i) kernel(i);
  }
}

/// The same bits for any number of threads: rows, then planes, are combined in index order.
template <class Op, class Kernel>
typename detail::Reduction<Op>::Value reduce(const Exec& exec, const char* name, const Box& box,
                                             const Kernel& kernel_in) {
  using Value = typename detail::Reduction<Op>::Value;
  const Value start = detail::Reduction<Op>::start();
  if (box.empty()) return start;
  if (!exec.on_cpu()) return detail::cuda::reduce<Op>(name, box, kernel_in);
  const Int3 n = box.size();
  std::vector<Value> rows(std::size_t(n.y) * n.z);
#pragma omp parallel num_threads(exec.threads()) if (exec.shares(box.count()))
  {
    const Kernel kernel = kernel_in;
#pragma omp for schedule(static)
    for (std::int64_t row = 0; row < std::int64_t(rows.size()); ++row)
      rows[row] =
          detail::reduce_row<Op>(kernel, box.lo.x, box.hi.x, box.lo.y + int(row % n.y), box.lo.z + int(row / n.y));
  }
  Value total = start;
  for (int z = 0; z < n.z; ++z) {
    Value plane = start;
    for (int y = 0; y < n.y; ++y) plane = Op::combine(plane, rows[std::size_t(z) * n.y + y]);
    total = Op::combine(total, plane);
  }
  return total;
}

}  // namespace silt

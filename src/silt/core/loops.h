#pragma once

/// The loops every kernel runs in. A kernel is a *named struct* with a SILT_HD operator(); the loop decides where it
/// runs. Only KERNELS sources include this header: nvcc compiles them in a CUDA build, g++ otherwise.
///
///   for_each_cell(exec, "divergence", box, Divergence{...});      kernel(Cell)
///   for_each_strip(exec, "advect", box, Advect{...});             kernel.at<F>(Cell): of one cell, or eight along x
///   for_each_index(exec, "kick", n, Kick{...});                   kernel(std::int64_t)
///   reduce<Sum>(exec, "energy", box, KineticEnergy{...});         double kernel(Cell)
///   reduce<Each<Sum, Max>>(exec, "norms", box, Norms{...});       Several<2> kernel(Cell): several in one pass
///   for_each_face(exec, "relax", faces, kernels);                 a kernel for each component of a MAC field
///   reduce_faces<Sum>(exec, "energy", faces, kernels);
/// Several loops one after the other can go through memory as one: core/wave.h.
///
/// The x loop is innermost and free of dependences between its iterations, so that the compiler may vectorise it: a
/// kernel may read what it writes only in its own cell. `name` is for traces and error messages. A kernel may have
/// several forms for parts of a row: see `detail::split_row`.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "silt/core/cells.h"
#include "silt/core/exec.h"
#include "silt/core/reduction.h"
#include "silt/core/strips.h"

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

/// visit(kernel, from, to) for the parts of a row: one, unless the kernel splits rows and has a form for each part.
template <class Kernel, class Visit>
void split_row(const Kernel& kernel, int x0, int x1, int y, int z, const Visit& visit) {
  if constexpr (requires { Kernel::splits_rows; })
    kernel.split(x0, x1, y, z, visit);
  else
    visit(kernel, x0, x1);
}

/// A kernel of strips, a cell at a time.
template <class Kernel>
struct OneByOne {
  Kernel kernel;
  SILT_HD_INLINE void operator()(Cell c) const { kernel.template at<float>(c); }
};

/// The cells of a box, on the calling thread.
template <class Kernel>
void run_cells(const Kernel& kernel, const Cells& cells) {
  cells.visit_used_rows(0, cells.row_count(), [&](int y, int z) {
    cells.visit_row(y, z, [&](int x0, int x1) {
      split_row(kernel, x0, x1, y, z, [&](const auto& part_in, int from, int to) {
        const auto part = part_in;  // its own copy, which no store of the kernel can be taken to change
#pragma GCC ivdep
        for (int x = from; x < to; ++x) part(Cell{x, y, z});
      });
    });
  });
}

/// A row is reduced in interleaved lanes, always combined in the same order.
inline constexpr int lanes = 8;

template <class Op>
double combine_lanes(double* lane) {
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lane[l] = Op::combine(lane[l], lane[l + half]);
  return lane[0];
}

/// The kernel's values are worked out a strip at a time, in a loop that vectorises as `for_each_cell` does. (Flattened:
/// a kernel that has several forms is called in several places, and would be left a function of its own.)
template <class Op>
struct RowReduction {
  template <class Kernel>
  static double run(const Kernel& kernel, const Cells& cells, int y, int z) {
    double lane[lanes];
    for (double& l : lane) l = Op::identity;
    cells.visit_row(y, z, [&](int x0, int x1) { add(kernel, x0, x1, y, z, lane); });
    return combine_lanes<Op>(lane);
  }

 private:
  template <class Kernel>
  SILT_FLATTEN static void add(const Kernel& kernel, int x0, int x1, int y, int z, double (&lane)[lanes]) {
    constexpr int strip = 8 * lanes;
    double value[strip];
    for (int x = x0; x < x1; x += strip) {
      const int count = std::min(strip, x1 - x);
      split_row(kernel, x, x + count, y, z, [&](const auto& part_in, int from, int to) {
        const auto part = part_in;  // its own copy, which no store of the kernel can be taken to change
#pragma GCC ivdep
        for (int i = from; i < to; ++i) value[i - x] = double(part(Cell{i, y, z}));
      });
      int n = 0;
      for (; n + lanes <= count; n += lanes)
        for (int l = 0; l < lanes; ++l) lane[l] = Op::combine(lane[l], value[n + l]);
      for (int l = 0; n < count; ++n, ++l) lane[l] = Op::combine(lane[l], value[n]);
    }
  }
};

/// Several numbers: each has lanes of its own side by side, so that the loop over lanes is vectorised.
template <class... Ops>
struct RowReduction<Each<Ops...>> {
  static constexpr int count = sizeof...(Ops);
  using Value = Several<count>;
  using Table = double[count][lanes];
  using numbers = std::index_sequence_for<Ops...>;

  template <class Kernel>
  static Value run(const Kernel& kernel, const Cells& cells, int y, int z) {
    Table total;
    clear(total);
    cells.visit_row(y, z, [&](int x0, int x1) { add_part(kernel, x0, x1, y, z, total); });
    Value out;
    int n = 0;
    ((out.value[n] = combine_lanes<Ops>(total[n]), ++n), ...);
    return out;
  }

 private:
  template <class Kernel>
  static void add_part(const Kernel& kernel_in, int x0, int x1, int y, int z, Table& total_out) {
    const Kernel kernel = kernel_in;  // its own copy, which no store of the kernel can be taken to change
    Table total, next;
    std::copy(&total_out[0][0], &total_out[0][0] + count * lanes, &total[0][0]);
    int x = x0;
    for (; x + lanes <= x1; x += lanes) {
#pragma GCC ivdep
      for (int l = 0; l < lanes; ++l) put(kernel(Cell{x + l, y, z}), l, next, numbers{});
      add(next, total);
    }
    if (x < x1) {
      clear(next);
      for (int l = 0; x < x1; ++x, ++l) put(kernel(Cell{x, y, z}), l, next, numbers{});
      add(next, total);
    }
    std::copy(&total[0][0], &total[0][0] + count * lanes, &total_out[0][0]);
  }
  static void clear(Table& table) {
    const Value start = Each<Ops...>::start();
    for (int n = 0; n < count; ++n)
      for (int l = 0; l < lanes; ++l) table[n][l] = start.value[n];
  }
  /// Written out number by number: a loop in here would keep the one over lanes from being vectorised.
  template <std::size_t... N>
  SILT_HD_INLINE static void put(const Value& v, int l, Table& table, std::index_sequence<N...>) {
    ((table[N][l] = v.value[N]), ...);
  }
  template <class Op>
  static void add_lanes(const double* next, double* total) {
    for (int l = 0; l < lanes; ++l) total[l] = Op::combine(total[l], next[l]);
  }
  static void add(const Table& next, Table& total) {
    int n = 0;
    ((add_lanes<Ops>(next[n], total[n]), ++n), ...);
  }
};

/// How many rows, or indices, a thread takes at a time where they differ in what they cost. A kernel says so:
///   static constexpr bool uneven = true;
/// Others are shared out evenly beforehand: then each thread finds in its own cache what it wrote in the loop before.
template <class Kernel>
inline constexpr bool is_uneven = requires {
  Kernel::uneven;
};
/// How many times the work of the simplest kernel, such as a copy, one cell is: to judge whether a loop over few cells
/// is worth sharing. A kernel says so:
///   static constexpr int work_per_cell = 8;
template <class Kernel>
constexpr int work_of() {
  if constexpr (requires { Kernel::work_per_cell; })
    return Kernel::work_per_cell;
  else
    return 1;
}
template <class Kernel>
bool shares(const Exec& exec, std::int64_t cells) {
  return exec.shares(work_of<Kernel>() * cells);
}

inline int handed_out(const Exec& exec, std::int64_t count) {
  constexpr int turns = 16;  // of each thread, about
  return int(std::max<std::int64_t>(1, count / (turns * exec.threads())));
}

/// visit(y, z) for each row that has cells in use, shared among the threads of a parallel region.
template <class Kernel, class Visit>
void share_rows(const Exec& exec, const Cells& cells, const Visit& visit) {
  if constexpr (is_uneven<Kernel>) {
    const int turn = handed_out(exec, cells.row_count());
#pragma omp for schedule(dynamic, turn) nowait
    for (int row = 0; row < cells.row_count(); ++row) visit(cells.row_y(row), cells.row_z(row));
  } else {
    const int thread = this_thread(), threads = threads_here();
    cells.visit_used_rows(cells.first_row_of(thread, threads), cells.first_row_of(thread + 1, threads), visit);
  }
}

/// visit(a, y, z) for each row in use of three sets of faces: a plane of all three before the next.
template <class Kernel, class Visit>
void share_planes(const std::array<Cells, 3>& faces, const Visit& visit) {
  static_assert(!is_uneven<Kernel>);
  const int thread = this_thread(), threads = threads_here();
  int next[3], end[3], lowest = std::numeric_limits<int>::max(), highest = std::numeric_limits<int>::min();
  for (int a = 0; a < 3; ++a) {
    next[a] = end[a] = 0;
    if (faces[a].empty()) continue;
    next[a] = faces[a].first_row_of(thread, threads), end[a] = faces[a].first_row_of(thread + 1, threads);
    lowest = std::min(lowest, faces[a].lo.z), highest = std::max(highest, faces[a].hi.z);
  }
  for (int z = lowest; z < highest; ++z)
    for (int a = 0; a < 3; ++a) {
      const int after = std::min(end[a], (z + 1 - faces[a].lo.z) * (faces[a].hi.y - faces[a].lo.y));
      if (next[a] >= after) continue;
      faces[a].visit_used_rows(next[a], after, [&](int y, int) { visit(a, y, z); });
      next[a] = after;
    }
}

}  // namespace detail

template <class Kernel>
void for_each_cell(const Exec& exec, [[maybe_unused]] const char* name, const Cells& cells, const Kernel& kernel_in) {
  if (cells.empty()) return;
  if (!exec.on_cpu()) return detail::cuda::for_each_cell(name, cells, kernel_in);
  const bool shared = detail::shares<Kernel>(exec, cells.used());
#pragma omp parallel num_threads(exec.threads()) if (shared)
  {
    const Kernel kernel = kernel_in;  // a private copy: its pointers are then known not to change during the row
    detail::share_rows<Kernel>(exec, cells, [&](int y, int z) { detail::run_cells(kernel, cells.row(y, z)); });
  }
}

template <class Kernel>
void for_each_cell(const Exec& exec, const char* name, const Box& box, const Kernel& kernel) {
  for_each_cell(exec, name, Cells(box), kernel);
}

/// What make(axis) gives, of all three.
template <class Make>
auto of_each_axis(const Make& make) {
  return std::array{make(0), make(1), make(2)};
}

/// A kernel of its own for each of three sets of faces, or edges, in one go. They read much alike, which is then still
/// in the cache; and threads wait for each other once, not three times.
template <class Kernel>
void for_each_face(const Exec& exec, const char* name, const std::array<Cells, 3>& faces,
                   const std::array<Kernel, 3>& kernels) {
  if (!exec.on_cpu()) {
    for (int a = 0; a < 3; ++a) for_each_cell(exec, name, faces[a], kernels[a]);
    return;
  }
  const bool shared = detail::shares<Kernel>(exec, faces[0].used() + faces[1].used() + faces[2].used());
#pragma omp parallel num_threads(exec.threads()) if (shared)
  {
    const std::array<Kernel, 3> own = kernels;
    detail::share_planes<Kernel>(faces, [&](int a, int y, int z) { detail::run_cells(own[a], faces[a].row(y, z)); });
  }
}

/// The same for kernels that take several cells along x at once, with a template at<F>(first): see strips.h.
template <class Kernel>
void for_each_strip(const Exec& exec, const char* name, const Cells& cells, const Kernel& kernel_in) {
#if defined(__CUDACC__)
  for_each_cell(exec, name, cells, detail::OneByOne<Kernel>{kernel_in});
#else
  if (cells.empty()) return;
  if (!exec.on_cpu()) detail::cuda::not_compiled(name);
  const bool shared = detail::shares<Kernel>(exec, cells.used());
#pragma omp parallel num_threads(exec.threads()) if (shared)
  {
    const Kernel kernel = kernel_in;
    detail::share_rows<Kernel>(exec, cells, [&](int y, int z) {
      cells.visit_row(y, z, [&](int x, int end) {
        for (; x + lane_count <= end; x += lane_count) kernel.template at<Lanes>({x, y, z});
        for (; x < end; ++x) kernel.template at<float>({x, y, z});
      });
    });
  }
#endif
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
#pragma omp for schedule(static) nowait
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
  [[maybe_unused]] const int turn = detail::handed_out(exec, count);
#pragma omp parallel num_threads(exec.threads()) if (exec.shares(count * cells_each))
  {
    const Kernel kernel = kernel_in;
    if constexpr (detail::is_uneven<Kernel>) {
#pragma omp for schedule(dynamic, turn) nowait
      for (std::int64_t i = 0; i < count; ++i) kernel(i);
    } else {
#pragma omp for schedule(static) nowait
      for (std::int64_t i = 0; i < count; ++i) kernel(i);
    }
  }
}

/// The rows of a box that have cells in use, each reduced by itself, and their total: the same bits in whatever order
/// the rows were done.
template <class Op>
class RowTotals {
 public:
  using Value = typename detail::Reduction<Op>::Value;

  explicit RowTotals(const Cells& cells)
      : cells_(cells),
        rows_(std::size_t(cells.size().y) * std::size_t(cells.size().z), detail::Reduction<Op>::start()) {}

  template <class Kernel>
  void run(const Kernel& kernel, int y, int z) {
    rows_[row(y, z)] = detail::RowReduction<Op>::run(kernel, cells_, y, z);
  }
  /// The total itself, where it was reduced on a device.
  void set(const Value& total) { device_total_ = total; }
  /// Rows, then planes, are combined in index order.
  Value total() const {
    if (device_total_) return *device_total_;
    Value total = detail::Reduction<Op>::start(), plane = total;
    int at = cells_.lo.z;
    if (!cells_.empty())
      cells_.visit_used_rows(0, cells_.row_count(), [&](int y, int z) {
        if (z != at) total = Op::combine(total, plane), plane = detail::Reduction<Op>::start(), at = z;
        plane = Op::combine(plane, rows_[row(y, z)]);
      });
    return Op::combine(total, plane);
  }

 private:
  std::size_t row(int y, int z) const {
    return std::size_t(z - cells_.lo.z) * cells_.size().y + std::size_t(y - cells_.lo.y);
  }

  Cells cells_;
  std::vector<Value> rows_;
  std::optional<Value> device_total_;
};

/// The same bits for any number of threads.
template <class Op, class Kernel>
typename detail::Reduction<Op>::Value reduce(const Exec& exec, const char* name, const Cells& cells,
                                             const Kernel& kernel_in) {
  if (cells.empty()) return detail::Reduction<Op>::start();
  if (!exec.on_cpu()) return detail::cuda::reduce<Op>(name, cells, kernel_in);
  RowTotals<Op> totals(cells);
  const bool shared = detail::shares<Kernel>(exec, cells.used());
#pragma omp parallel num_threads(exec.threads()) if (shared)
  {
    const Kernel kernel = kernel_in;
    detail::share_rows<Kernel>(exec, cells, [&](int y, int z) { totals.run(kernel, y, z); });
  }
  return totals.total();
}

/// As for_each_face: what the three give together.
template <class Op, class Kernel>
typename detail::Reduction<Op>::Value reduce_faces(const Exec& exec, const char* name,
                                                   const std::array<Cells, 3>& faces,
                                                   const std::array<Kernel, 3>& kernels) {
  typename detail::Reduction<Op>::Value total = detail::Reduction<Op>::start();
  if (!exec.on_cpu()) {
    for (int a = 0; a < 3; ++a) total = Op::combine(total, reduce<Op>(exec, name, faces[a], kernels[a]));
    return total;
  }
  std::array<RowTotals<Op>, 3> totals{RowTotals<Op>(faces[0]), RowTotals<Op>(faces[1]), RowTotals<Op>(faces[2])};
  const bool shared = detail::shares<Kernel>(exec, faces[0].used() + faces[1].used() + faces[2].used());
#pragma omp parallel num_threads(exec.threads()) if (shared)
  {
    const std::array<Kernel, 3> own = kernels;
    detail::share_planes<Kernel>(faces, [&](int a, int y, int z) { totals[a].run(own[a], y, z); });
  }
  for (const RowTotals<Op>& of_axis : totals) total = Op::combine(total, of_axis.total());
  return total;
}

}  // namespace silt

#pragma once

/// Loops between a level and the next coarser one. Only KERNELS sources include this header. On the CPU whole rows of
/// the finer level are worked out at a time, so that they vectorise; on a GPU a thread has one cell.

#include "silt/core/loops.h"
#include "silt/solve/level.h"

namespace silt {

namespace detail {

/// One coarse cell: the sum over its first `take` children of value(index).
template <class Value>
struct SumChildrenOfCell {
  Nesting nesting;
  Int3 take;
  float share;
  Value value;
  Layout fine;
  View<float> out;
  SILT_HD void operator()(Cell c) const {
    const Cell first = nesting.first(c);
    float sum = 0;
    for (int dz = 0; dz < take.z; ++dz)
      for (int dy = 0; dy < take.y; ++dy)
        for (int dx = 0; dx < take.x; ++dx) {
          const Cell child = first + Cell{dx, dy, dz};
          if (nesting.fine.contains(child)) sum += value(fine.index(child));
        }
    out(c) = share * sum;
  }
};

/// A row of coarse cells, in strips: the finer rows are added up first, then their pairs.
template <class Value>
void sum_children_of_row(const Nesting& nesting, Int3 take, float share, int columns, int y, int z, const Value& value,
                         const Layout& fine, const View<float>& out) {
  constexpr int strip = 256;  // finer cells
  const Int3 step = nesting.step;
  float sum[strip + 1];
  for (int x0 = 0; x0 < columns; x0 += strip / step.x) {
    const int cells = std::min(strip / step.x, columns - x0);
    const Cell first = nesting.first({x0, y, z});
    const int count = std::min(cells * step.x, nesting.fine.hi.x - first.x);
    std::fill_n(sum, count + 1, 0.0f);  // one more: half of the last cell may lie outside
    for (int dz = 0; dz < take.z && first.z + dz < nesting.fine.hi.z; ++dz)
      for (int dy = 0; dy < take.y && first.y + dy < nesting.fine.hi.y; ++dy) {
        const int start = fine.index(0, first.y + dy, first.z + dz);
        split_row(value, first.x, first.x + count, first.y + dy, first.z + dz,
                  [&](const auto& part_in, int from, int to) {
                    const auto part = part_in;
                    float* to_sum = sum - first.x;
#pragma GCC ivdep
                    for (int x = from; x < to; ++x) to_sum[x] += part(start + x);
                  });
      }
    float* to = &out(x0, y, z);
    if (take.x == 2)
      for (int x = 0; x < cells; ++x) to[x] = share * (sum[2 * x] + sum[2 * x + 1]);
    else
      for (int x = 0; x < cells; ++x) to[x] = share * sum[step.x * x];
  }
}

struct AddParent {
  Nesting nesting;
  View<const float> coarse;
  const float* mask;
  View<float> fine;
  SILT_HD void operator()(Cell c) const {
    const int i = fine.index(c.x, c.y, c.z);
    const float value = coarse(nesting.parent(c));
    fine.data[i] += mask[i] > 0 ? value : 0.0f;
  }
};

/// A row of finer cells: two of them have the same parent.
inline void add_parents_to_row(const Nesting& nesting, int y, int z, const View<const float>& coarse, const float* mask,
                               const View<float>& fine) {
  const Cell first{nesting.fine.lo.x, y, z};
  const int start = fine.index(first.x, y, z), count = nesting.fine.size().x;
  const float *from = &coarse(nesting.parent(first)), *in = mask + start;
  float* to = fine.data + start;
  if (nesting.step.x == 1) {
#pragma GCC ivdep
    for (int n = 0; n < count; ++n) to[n] += in[n] > 0 ? from[n] : 0.0f;
    return;
  }
#pragma GCC ivdep
  for (int n = 0; n < count / 2; ++n) {
    const float value = from[n];
    to[2 * n] += in[2 * n] > 0 ? value : 0.0f;
    to[2 * n + 1] += in[2 * n + 1] > 0 ? value : 0.0f;
  }
  if (count % 2) to[count - 1] += in[count - 1] > 0 ? from[count / 2] : 0.0f;
}

}  // namespace detail

/// out(c) = share * the sum of value(index) over the finer cells of each coarse cell c: of its first `take` along each
/// axis, which is `nesting.step` for all of them.
template <class Value>
void sum_of_children(const Exec& exec, const char* name, const Nesting& nesting, Int3 take, float share,
                     const Value& value_in, const Layout& fine, const View<float>& out) {
  const Box box = nesting.coarse();
  if (!exec.on_cpu())
    return for_each_cell(exec, name, box, detail::SumChildrenOfCell<Value>{nesting, take, share, value_in, fine, out});
#pragma omp parallel num_threads(exec.threads()) if (exec.shares(nesting.fine.count()))
  {
    const Value value = value_in;
#pragma omp for collapse(2) schedule(static)
    for (int z = 0; z < box.hi.z; ++z)
      for (int y = 0; y < box.hi.y; ++y)
        detail::sum_children_of_row(nesting, take, share, box.hi.x, y, z, value, fine, out);
  }
}

/// fine(c) += coarse(its coarse cell), for each finer cell c where `mask`, which lies as `fine` does, is not 0.
inline void add_to_children(const Exec& exec, const char* name, const Nesting& nesting, const View<const float>& coarse,
                            const float* mask, const View<float>& fine) {
  if (!exec.on_cpu()) return for_each_cell(exec, name, nesting.fine, detail::AddParent{nesting, coarse, mask, fine});
#pragma omp parallel for collapse(2) schedule(static) num_threads(exec.threads()) if (exec.shares(nesting.fine.count()))
  for (int z = nesting.fine.lo.z; z < nesting.fine.hi.z; ++z)
    for (int y = nesting.fine.lo.y; y < nesting.fine.hi.y; ++y)
      detail::add_parents_to_row(nesting, y, z, coarse, mask, fine);
}

}  // namespace silt

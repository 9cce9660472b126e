#pragma once

/// Loops between a level and the next coarser one. Only KERNELS sources include this header. On the CPU whole rows of
/// the finer level are worked out at a time, so that they vectorise; on a GPU a thread has one cell.

#include "silt/core/wave.h"
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

/// The part of a row of coarse cells that has children in use, in whole units as the coarse level's spans have it: what
/// lies between the last child and the end of its unit is in use as well, and must be worked out.
inline RowSpans::Span columns_with_children(const Nesting& nesting, int columns, int y, int z) {
  if (!nesting.fine.rows) return {0, columns};
  RowSpans::Span used{nesting.fine.hi.x, nesting.fine.lo.x};
  const Box rows = nesting.children({0, y, z});
  for (int k = rows.lo.z; k < rows.hi.z; ++k)
    for (int j = rows.lo.y; j < rows.hi.y; ++j) {
      const RowSpans::Span part = nesting.fine.hull_of_row(j, k);
      used = {std::min(used.begin, part.begin), std::max(used.end, part.end)};
    }
  if (used.begin >= used.end) return {0, 0};
  constexpr int unit = RowSpans::unit;
  const int first = nesting.parent({used.begin, y, z}).x, last = nesting.parent({used.end - 1, y, z}).x;
  return {first / unit * unit, std::min((last / unit + 1) * unit, columns)};
}

/// A row of coarse cells, in strips: the finer rows are added up first, then their pairs.
template <class Value>
void sum_children_of_row(const Nesting& nesting, Int3 take, float share, int columns, int y, int z, const Value& value,
                         const Layout& fine, const View<float>& out) {
  constexpr int strip = 256;  // finer cells
  const Int3 step = nesting.step;
  float sum[strip + 1];
  const RowSpans::Span used = columns_with_children(nesting, columns, y, z);  // elsewhere `out` is zero
  for (int x0 = used.begin; x0 < used.end; x0 += strip / step.x) {
    const int cells = std::min(strip / step.x, used.end - x0);
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

/// Part of a row of finer cells, counted from the row's first: two of them have the same parent.
template <class Mask>
void add_parents(const float* coarse, int step, const Mask& mask, int from, int to, float* fine) {
  const auto add = [&](int n) { fine[n] += mask[n] > 0 ? coarse[n / step] : 0.0f; };
  if (step == 1) {
#pragma GCC ivdep
    for (int n = from; n < to; ++n) fine[n] += mask[n] > 0 ? coarse[n] : 0.0f;
    return;
  }
  for (; from < to && from % 2; ++from) add(from);
  const int last = to / 2;
#pragma GCC ivdep
  for (int p = from / 2; p < last; ++p) {
    const float value = coarse[p];
    fine[2 * p] += mask[2 * p] > 0 ? value : 0.0f;
    fine[2 * p + 1] += mask[2 * p + 1] > 0 ? value : 0.0f;
  }
  for (int n = std::max(from, 2 * last); n < to; ++n) add(n);
}

struct AllIn {
  constexpr float operator[](int) const { return 1; }
};

/// A row of finer cells. Where it is plain the mask need not be read.
inline void add_parents_to_row(const Nesting& nesting, int y, int z, const View<const float>& coarse, const float* mask,
                               const PlainRuns::Rows& plain, const View<float>& fine) {
  const Cell first{nesting.fine.lo.x, y, z};
  const int start = fine.index(first.x, y, z), step = nesting.step.x;
  const RowSpans::Span used = nesting.fine.hull_of_row(y, z);
  if (used.begin >= used.end) return;
  const float *from = &coarse(nesting.parent(first)), *in = mask + start;
  float* to = fine.data + start;
  const int x0 = used.begin - first.x, x1 = used.end - first.x;
  int a = x0, b = x0;
  if (plain.begin && plain.end[plain.row(y, z)] > plain.begin[plain.row(y, z)])
    a = plain.begin[plain.row(y, z)] - first.x, b = plain.end[plain.row(y, z)] - first.x;
  add_parents(from, step, in, x0, a, to);
  add_parents(from, step, AllIn{}, a, b, to);
  add_parents(from, step, in, b, x1, to);
}

}  // namespace detail

/// Of each coarse cell c: out(c) = share * the sum of value(index) over its finer cells, the first `take` along each
/// axis, which is `nesting.step` for all of them.
template <class Value>
struct ChildSum {
  Nesting nesting;
  Int3 take;
  float share;
  Value value;
  Layout fine;
  View<float> out;

  /// A coarse slice is worked out with the last of its finer ones; `beyond` is how far `value` reads from its cell.
  Pass pass(int beyond) const {
    const Slices fine_slices{nesting.fine};
    const int axis = fine_slices.axis(), step = nesting.step[axis];
    return {beyond + step - 1, [=, *this](int slice) {
              const int coarse_slice = (slice - fine_slices.first()) / step;
              const int after = fine_slices.first() + (coarse_slice + 1) * step;
              if (slice + 1 != std::min(after, fine_slices.last())) return;
              Box rows = nesting.coarse();
              rows.lo[axis] = coarse_slice, rows.hi[axis] = coarse_slice + 1;
              for (int z = rows.lo.z; z < rows.hi.z; ++z)
                for (int y = rows.lo.y; y < rows.hi.y; ++y)
                  detail::sum_children_of_row(nesting, take, share, rows.hi.x, y, z, value, fine, out);
            }};
  }
  void run(const Exec& exec, const char* name) const {
    if (exec.on_cpu())
      run_as_wave(exec, nesting.fine, {pass(0)});
    else
      for_each_cell(exec, name, nesting.coarse(),
                    detail::SumChildrenOfCell<Value>{nesting, take, share, value, fine, out});
  }
};

/// fine(c) += coarse(its coarse cell), for each finer cell c where `mask`, which lies as `fine` does, is not 0: it is
/// not in the runs of `plain`, where that has any.
struct AddToChildren {
  Nesting nesting;
  View<const float> coarse;
  const float* mask;
  PlainRuns::Rows plain;
  View<float> fine;

  Pass pass() const {
    return {0, [*this](int slice) {
              const Box rows = Slices{nesting.fine}(slice);
              for (int z = rows.lo.z; z < rows.hi.z; ++z)
                for (int y = rows.lo.y; y < rows.hi.y; ++y)
                  detail::add_parents_to_row(nesting, y, z, coarse, mask, plain, fine);
            }};
  }
  void run(const Exec& exec, const char* name) const {
    if (exec.on_cpu())
      run_as_wave(exec, nesting.fine, {pass()});
    else
      for_each_cell(exec, name, nesting.fine, detail::AddParent{nesting, coarse, mask, fine});
  }
};

}  // namespace silt

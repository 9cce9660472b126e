#pragma once

#include <algorithm>
#include <vector>

#include "silt/core/box.h"

namespace silt {

/// Which cells of a box are in use: of each row along x some spans, in order, that do not touch. They begin and end a
/// whole number of lanes from the box's low side, or at its ends: sums over them have the same bits as over whole rows
/// that are zero elsewhere.
struct RowSpans {
  static constexpr int unit = 8;
  struct Span {
    int begin, end;
  };
  Box box;
  std::vector<int> first;  ///< of each row, y running first: its spans are first[row] to first[row + 1]
  std::vector<Span> spans;
  std::vector<std::int64_t> before;  ///< cells in use in all rows before each, and in all of them

  std::int64_t used() const { return before.empty() ? 0 : before.back(); }

  /// The row of a place beside the box is the nearest one's.
  int row(int y, int z) const {
    y = std::clamp(y, box.lo.y, box.hi.y - 1), z = std::clamp(z, box.lo.z, box.hi.z - 1);
    return (z - box.lo.z) * box.size().y + (y - box.lo.y);
  }
};

/// The cells that a loop goes over: those of a box or, where `rows` says so, the part of them that is in use. `rows` is
/// of this box or of one that differs by a few cells at its sides, such as that of the faces: a span that reaches a
/// side reaches this one's. Loops of a GPU take the whole box.
struct Cells : Box {
  const RowSpans* rows = nullptr;

  SILT_HD constexpr Cells() = default;
  SILT_HD constexpr Cells(const Box& box, const RowSpans* in = nullptr) : Box(box), rows(in) {}
  SILT_HD constexpr Cells(Int3 low, Int3 high) : Box{low, high} {}

  std::int64_t used() const { return rows ? rows->used() : count(); }
  /// Rows are numbered, y running first.
  int row_count() const { return (hi.y - lo.y) * (hi.z - lo.z); }
  int row_y(int n) const { return lo.y + n % (hi.y - lo.y); }
  int row_z(int n) const { return lo.z + n / (hi.y - lo.y); }
  /// One row of them.
  Cells row(int y, int z) const { return {{{lo.x, y, z}, {hi.x, y + 1, z + 1}}, rows}; }
  Cells row(int n) const { return row(row_y(n), row_z(n)); }

  /// The first row of a thread's share: each has about as many cells in use, and rows of its own in every loop over
  /// these cells, which it then finds in its own cache.
  int first_row_of(int thread, int threads) const {
    const int count = row_count();
    if (!rows || thread == 0 || thread == threads) return int(std::int64_t(count) * thread / threads);
    const std::int64_t part = rows->used() * thread / threads;
    const int n = int(std::upper_bound(rows->before.begin(), rows->before.end(), part) - rows->before.begin()) - 1;
    const Cells all(rows->box);
    // Rows of planes that these cells do not have come before all of theirs, or after: shares must not overlap.
    if (all.row_z(n) < lo.z) return 0;
    if (all.row_z(n) >= hi.z) return count;
    return (all.row_z(n) - lo.z) * (hi.y - lo.y) + (std::clamp(all.row_y(n), lo.y, hi.y - 1) - lo.y);
  }

  /// The shortest part of a row that has all its spans; begin >= end: it has none.
  RowSpans::Span hull_of_row(int y, int z) const {
    RowSpans::Span out{hi.x, lo.x};
    visit_row(y, z, [&](int begin, int end) { out = {std::min(out.begin, begin), end}; });
    return out;
  }

  /// visit(y, z) for each row that has cells in use, of those from one number to another. Rows without any are passed
  /// over, and planes of such at once: what is spread thinly over a large box has few of its rows.
  template <class Visit>
  void visit_used_rows(int from, int to, const Visit& visit) const {
    const int ny = hi.y - lo.y;
    for (int z = from < to ? row_z(from) : hi.z; z < hi.z; ++z) {
      const int first = (z - lo.z) * ny;
      if (first >= to) return;
      const int end = lo.y + std::min(ny, to - first);
      for (int y = lo.y + std::max(0, from - first); y < end; ++y) {
        if (rows) y = next_used(y, end, z);
        if (y < end) visit(y, z);
      }
    }
  }

  /// visit(begin, end) for each part of a row that is in use.
  template <class Visit>
  void visit_row(int y, int z, const Visit& visit) const {
    if (!rows) return visit(lo.x, hi.x);
    const int n = rows->row(y, z);
    for (int s = rows->first[n]; s < rows->first[n + 1]; ++s) {
      const RowSpans::Span& span = rows->spans[s];
      const int begin = span.begin == rows->box.lo.x ? lo.x : std::max(span.begin, lo.x);
      const int end = span.end == rows->box.hi.x ? hi.x : std::min(span.end, hi.x);
      if (begin < end) visit(begin, end);
    }
  }

 private:
  /// The first row of a plane from y on that has cells in use, or `end`.
  int next_used(int y, int end, int z) const {
    const std::vector<int>& first = rows->first;
    const int within = std::min(end, rows->box.hi.y);
    while (y < end) {
      const int n = rows->row(y, z), none = first[n];
      if (first[n + 1] != none) return y;
      if (y < rows->box.lo.y || y >= within) {  // beside the box: the same row again
        ++y;
        continue;
      }
      // A row later than n is the first to have any if `first` changes after it: ever longer strides, then halves.
      const int last = n + within - y;
      int low = n + 1, stride = 1;
      for (; low + stride <= last && first[low + stride] == none; stride *= 2) low += stride;
      int high = std::min(low + stride, last);
      if (first[high] == none) {
        y = within;
        continue;
      }
      while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        first[middle] == none ? low = middle : high = middle;
      }
      return y + high - 1 - n;
    }
    return end;
  }
};

}  // namespace silt

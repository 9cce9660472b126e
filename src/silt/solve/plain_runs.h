#pragma once

#include <vector>

#include "silt/core/cells.h"
#include "silt/fields/field.h"

namespace silt {

/// Most cells lie away from walls and surfaces: all their faces weigh the same. In each row the longest run of such
/// cells is known, and there a stencil need not read its weights: they are the most of what it reads. Only the two
/// faces at the ends of a run, across x, may weigh something else: a wall, a surface. On the CPU; a GPU takes every
/// cell alike.
struct PlainRuns {
  Box cells;
  float weight = 0;                ///< the one of all faces in the runs; 0: no cell is plain
  std::vector<int> begin, end;     ///< of each row of `cells`, y running first
  std::vector<float> left, right;  ///< weights of the faces at the ends

  bool any() const { return weight > 0; }

  /// What a kernel needs of it.
  struct Rows {
    Int3 lo;
    int rows_y = 0, rows_z = 0;
    float weight = 0;
    const int *begin = nullptr, *end = nullptr;
    const float *left = nullptr, *right = nullptr;
    int row(int y, int z) const { return (z - lo.z) * rows_y + y - lo.y; }

    struct Part {
      int begin, end;
      Part within(const Part& other) const { return {std::max(begin, other.begin), std::min(end, other.end)}; }
    };
    /// The part of a run where all faces weigh alike, those at the ends too.
    Part inner(int n) const { return {begin[n] + (left[n] != weight), end[n] - (right[n] != weight)}; }
    /// The part of a row whose cells, and whose neighbours as far as they lie in the domain, are such.
    Part deep(int y, int z) const {
      const int n = row(y, z);
      Part part = inner(n);
      ++part.begin, --part.end;
      if (y > lo.y) part = part.within(inner(n - 1));
      if (y + 1 < lo.y + rows_y) part = part.within(inner(n + 1));
      if (z > lo.z) part = part.within(inner(n - rows_y));
      if (z + 1 < lo.z + rows_z) part = part.within(inner(n + rows_y));
      return part;
    }
  };
  Rows rows() const {
    return {cells.lo, cells.size().y, cells.size().z, weight, begin.data(), end.data(), left.data(), right.data()};
  }
};

/// Of the cells in `cells` with a row (their diagonal is not 0), those whose faces all have the same weight as the
/// first such cell's.
PlainRuns find_plain_runs(const Exec& exec, const Cells& cells, const MacField<float>& weights,
                          const Field<float>& diagonal);
/// The same for those whose faces are all there is to their row: `inverse`, 1 / diagonal, is that of the faces' sum.
PlainRuns find_bare_runs(const Exec& exec, const Cells& cells, const MacField<float>& weights,
                         const Field<float>& inverse);

/// The diagonal of a bare cell, added up as for any other.
inline float bare_diagonal(float left, float right, float y, float z) {
  return left + right + y + y + z + z;
}

/// Part of a row x0 <= x < x1 by itself: inside(a, b) where it lies in `part`, in order between outside(from, to) on
/// both sides.
template <class Inside, class Outside>
void visit_parts(const PlainRuns::Rows::Part& part, int x0, int x1, const Inside& inside, const Outside& outside) {
  const int a = std::min(std::max(part.begin, x0), x1), b = std::max(std::min(part.end, x1), a);
  if (x0 < a) outside(x0, a);
  if (a < b) inside(a, b);
  if (b < x1) outside(b, x1);
}

/// A kernel with a form for plain cells: the loops take that one on each row's run, and what its `with_ends(left,
/// right)` makes of it on the run's first and last cell. Elsewhere, and on a GPU, it is the general form.
template <class General, class Plain>
struct WithPlain {
  static constexpr bool splits_rows = true;
  General general;
  Plain plain;
  PlainRuns::Rows runs;

  SILT_HD auto operator()(Cell c) const { return general(c); }
  SILT_HD auto operator()(int i) const requires requires(const General& g) { g(0); }
  { return general(i); }

  /// visit(kernel, from, to) for the parts of x0 <= x < x1 of a row, in order.
  template <class Visit>
  void split(int x0, int x1, int y, int z, const Visit& visit) const {
    const int row = runs.row(y, z), begin = runs.begin[row], end = runs.end[row];
    const auto outside = [&](int from, int to) { visit(general, from, to); };
    const auto inside = [&](int a, int b) {
      const float w = runs.weight, left = runs.left[row], right = runs.right[row];
      const bool first = a == begin && left != w, last = b == end && right != w;
      if (b - a == 1) {
        visit(plain.with_ends(first ? left : w, last ? right : w), a, b);
      } else {
        if (first) visit(plain.with_ends(left, w), a, a + 1);
        if (a + first < b - last) visit(plain, a + first, b - last);
        if (last) visit(plain.with_ends(w, right), b - 1, b);
      }
    };
    visit_parts({begin, end}, x0, x1, inside, outside);
  }
};

/// A kernel with a form for cells among plain ones, which reads its neighbours' diagonals no more than its own.
template <class General, class Deep>
struct WithDeep {
  static constexpr bool splits_rows = true;
  General general;
  Deep deep;
  PlainRuns::Rows runs;

  SILT_HD auto operator()(Cell c) const { return general(c); }

  template <class Visit>
  void split(int x0, int x1, int y, int z, const Visit& visit) const {
    visit_parts(
        runs.deep(y, z), x0, x1, [&](int from, int to) { visit(deep, from, to); },
        [&](int from, int to) { visit(general, from, to); });
  }
};

template <class General, class Plain>
WithPlain<General, Plain> with_plain(const PlainRuns& runs, const General& general, const Plain& plain) {
  return {general, plain, runs.rows()};
}

}  // namespace silt

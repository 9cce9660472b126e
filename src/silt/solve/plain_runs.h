#pragma once

#include <vector>

#include "silt/fields/field.h"

namespace silt {

/// Most cells lie away from walls and surfaces: all their faces weigh the same. In each row the longest run of such
/// cells is known, and there a stencil need not read its weights: they are the most of what it reads. On the CPU; a GPU
/// takes every cell alike.
struct PlainRuns {
  Box cells;
  float weight = 0;             ///< the one of all faces in the runs; 0: no cell is plain
  std::vector<int> begin, end;  ///< of each row of `cells`, y running first

  /// What a kernel needs of it.
  struct Rows {
    Int3 lo;
    int rows_y;
    const int *begin, *end;
  };
  Rows rows() const { return {cells.lo, cells.size().y, begin.data(), end.data()}; }
};

/// Of the cells in `cells` with a row (their diagonal is not 0), those whose faces all have the same weight as the
/// first such cell's.
PlainRuns find_plain_runs(const Exec& exec, const Box& cells, const MacField<float>& weights,
                          const Field<float>& diagonal);

/// A kernel with a form for plain cells: the loops take that one on each row's run. Elsewhere, and on a GPU, it is the
/// general form.
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
    const int row = (z - runs.lo.z) * runs.rows_y + y - runs.lo.y;
    const int a = std::min(std::max(runs.begin[row], x0), x1), b = std::max(std::min(runs.end[row], x1), a);
    if (x0 < a) visit(general, x0, a);
    if (a < b) visit(plain, a, b);
    if (b < x1) visit(general, b, x1);
  }
};

template <class General, class Plain>
WithPlain<General, Plain> with_plain(const PlainRuns& runs, const General& general, const Plain& plain) {
  return {general, plain, runs.rows()};
}

}  // namespace silt

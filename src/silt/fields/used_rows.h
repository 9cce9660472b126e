#pragma once

#include <optional>

#include "silt/core/cells.h"
#include "silt/fields/field.h"

namespace silt {

/// Fields that are worked out only where cells are in use (core/cells.h), and rest elsewhere: the rows they were last
/// worked out in. What lies beyond a side of the box, in the halo, goes with the cells beside it.
class UsedRows {
 public:
  /// Other cells are in use now: what the fields have in those that are no longer in use goes back to zero. Fields on
  /// another box than before, or seen for the first time, are new ones: they are zero there already.
  template <class... Fields>
  void move_to(const Cells& now, Fields&... fields) {
    leave(now, 0, fields...);
    stay(now);
  }
  /// The same in two steps, where fields rest at different values. Those of new fields stay zero: memory that nobody
  /// has written to costs nothing, and what is so far from the cells in use is not looked at.
  template <class Value, class... Fields>
  void leave(const Cells& now, Value rest, Fields&... fields) const {
    const bool are_new = !cells_ || Box(*cells_) != Box(now);
    if (!now.rows || are_new) return;
    (clear_left(now.rows, rest, fields), ...);
  }
  void stay(const Cells& now) {
    rows_ = now.rows ? *now.rows : RowSpans{};
    cells_ = Box(now);
  }

  /// A field becomes zero wherever cells are not in use, whoever wrote there: one that was restored, or taken over from
  /// others. Zeros are not written over zeros, which may be memory that nobody has touched.
  template <class T>
  static void rest_outside(const Cells& now, Field<T>& field) {
    if (!now.rows) return;
    T* values = field.values().host();
    visit_left(Cells(Box(now)), now, [&](Cell from, int count) {
      T* row = values + field.layout().index(from);
      bool any = false;
      for (int n = 0; n < count; ++n) any |= row[n] != 0;
      if (any) std::fill_n(row, count, T(0));
    });
  }

  /// visit(cell, count) for what was in use and is not any more.
  template <class Visit>
  static void visit_left(const Cells& was, const Cells& now, const Visit& visit) {
    if (was.empty()) return;
    was.visit_used_rows(0, was.row_count(), [&](int y, int z) {
      was.visit_row(y, z, [&](int begin, int end) {
        now.visit_row(y, z, [&](int from, int to) {
          if (to <= begin || from >= end) return;
          if (from > begin) visit(Cell{begin, y, z}, from - begin);
          begin = to;
        });
        if (begin < end) visit(Cell{begin, y, z}, end - begin);
      });
    });
  }

 private:
  template <class Value, class T>
  void clear_left(const RowSpans* now, Value rest, Field<T>& field) const {
    if (!field.allocated()) return;
    const Box all = field.layout().storage();
    T* values = field.values().host();
    visit_left(Cells(all, rows_.first.empty() ? nullptr : &rows_), Cells(all, now),
               [&](Cell from, int count) { std::fill_n(values + field.layout().index(from), count, T(rest)); });
  }
  template <class Value, class T>
  void clear_left(const RowSpans* now, Value rest, MacField<T>& field) const {
    for (int a = 0; a < 3; ++a) clear_left(now, rest, field[a]);
  }

  std::optional<Box> cells_;  ///< empty: nothing has been worked out yet
  RowSpans rows_;
};

}  // namespace silt

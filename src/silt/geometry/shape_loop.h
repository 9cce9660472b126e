#pragma once

/// Loops over cells that look at a shape. Like loops.h, for KERNELS sources only.

#include <algorithm>

#include "silt/core/loops.h"
#include "silt/geometry/shape_view.h"

namespace silt {

namespace detail {

/// So many cells of a row share a cursor: enough to gain by it, few enough to keep a GPU busy.
inline constexpr int cursor_run = 32;

template <class Kernel>
struct CursorRow {
  Kernel kernel;
  Box box;
  int runs;  ///< a row
  SILT_HD void operator()(std::int64_t index) const {
    const int row = int(index / runs), from = box.lo.x + int(index % runs) * cursor_run;
    const int ny = box.hi.y - box.lo.y, y = box.lo.y + row % ny, z = box.lo.z + row / ny;
    const int to = from + cursor_run < box.hi.x ? from + cursor_run : box.hi.x;
    ShapeCursor cursor;
    for (int x = from; x < to; ++x) kernel(Cell{x, y, z}, cursor);
  }
};

}  // namespace detail

/// kernel(Cell, ShapeCursor&): cells next to each other pass the cursor on, for ShapeView::distance(x, cursor). A
/// kernel that looks at two shapes, or at one shape in two places, needs two such loops, or a cursor of its own.
template <class Kernel>
void for_each_shape_cell(const Exec& exec, const char* name, const Box& box, const Kernel& kernel) {
  if (box.empty()) return;
  const Int3 n = box.size();
  const int runs = (n.x + detail::cursor_run - 1) / detail::cursor_run;
  for_each_index(exec, name, std::int64_t(runs) * n.y * n.z, detail::CursorRow<Kernel>{kernel, box, runs},
                 detail::cursor_run);
}

}  // namespace silt

#pragma once

/// Several loops over the same cells as one wave through memory. The box is cut into slices; each pass follows the one
/// before it a few slices behind, while what that one wrote is still in the cache. What comes out is the same, bit for
/// bit, as running the passes one after the other. On the CPU; a GPU runs them one after the other.

#include <functional>
#include <vector>

#include "silt/core/loops.h"

namespace silt {

/// One loop of a wave. A pass reads what earlier ones write in its own slice and up to `reach` slices away. It may
/// overwrite what earlier passes read, as long as those reach no further than its own `reach` and theirs together.
struct Pass {
  int reach = 0;
  std::function<void(int slice)> run;
};

/// How a box is cut: into planes, or into rows where it is flat.
struct Slices {
  Box box;
  int axis() const { return box.size().z > 1 ? 2 : 1; }
  int first() const { return box.lo[axis()]; }
  int last() const { return box.hi[axis()]; }  ///< the one after the last
  Box operator()(int slice) const {
    Box b = box;
    b.lo[axis()] = slice, b.hi[axis()] = slice + 1;
    return b;
  }
};

void run_as_wave(const Exec& exec, const Box& box, const std::vector<Pass>& passes);

/// As for_each_cell.
template <class Kernel>
Pass cell_pass(int reach, const Box& box, const Kernel& kernel) {
  return {reach, [=](int slice) { detail::run_cells(kernel, Slices{box}(slice)); }};
}

/// As reduce; `totals` has the answer once the wave has run.
template <class Op, class Kernel>
Pass reduce_pass(int reach, const Box& box, const Kernel& kernel, RowTotals<Op>& totals) {
  return {reach, [=, &totals](int slice) {
            const Box b = Slices{box}(slice);
            for (int z = b.lo.z; z < b.hi.z; ++z)
              for (int y = b.lo.y; y < b.hi.y; ++y) totals.run(kernel, y, z);
          }};
}

}  // namespace silt

#pragma once

/// Several loops over the same cells as one wave through memory. The box is cut into slices; each pass follows the one
/// before it a few slices behind, while what that one wrote is still in the cache. What comes out is the same, bit for
/// bit, as running the passes one after the other. On the CPU; a GPU runs them one after the other.

#include <functional>
#include <vector>

#include "silt/core/loops.h"

namespace silt {

/// One loop of a wave. A pass reads what earlier ones write in its own slice and up to `reach` slices away. It may
/// overwrite what an earlier pass reads only if that one reads no further than the passes after it, up to and with this
/// one, reach together: by then it is past.
struct Pass {
  int reach = 0;
  std::function<void(int slice)> run;
};

/// How a box is cut: into planes, or into rows where it is flat.
struct Slices {
  Cells box;
  int axis() const { return box.size().z > 1 ? 2 : 1; }
  int first() const { return box.lo[axis()]; }
  int last() const { return box.hi[axis()]; }  ///< the one after the last
  Cells operator()(int slice) const {
    Cells b = box;
    b.lo[axis()] = slice, b.hi[axis()] = slice + 1;
    return b;
  }
  /// Where the shares of so many threads begin, and the last one ends: of about as many cells in use each, and of no
  /// fewer slices than `least`, for which there must be room.
  std::vector<int> shares(int count, int least) const;
};

void run_as_wave(const Exec& exec, const Cells& cells, const std::vector<Pass>& passes);

/// Loops in the order they are asked for. On the CPU they are kept back and go through memory as one wave when `run` is
/// called; on a GPU each runs at once. `reach` as in Pass.
class Wave {
 public:
  Wave(const Exec& exec, const Cells& cells) : exec_(exec), cells_(cells) {}

  void add(Pass pass) { passes_.push_back(std::move(pass)); }
  /// As silt::for_each_cell.
  template <class Kernel>
  void for_each_cell(const char* name, int reach, const Kernel& kernel) {
    if (!exec_.on_cpu()) return silt::for_each_cell(exec_, name, cells_, kernel);
    passes_.push_back({reach, [kernel, slices = Slices{cells_}](int n) { detail::run_cells(kernel, slices(n)); }});
  }
  /// As silt::reduce; `totals`, which is over the same box, has the answer once the wave has run.
  template <class Op, class Kernel>
  void reduce(const char* name, int reach, const Kernel& kernel, RowTotals<Op>& totals) {
    if (!exec_.on_cpu()) return totals.set(silt::reduce<Op>(exec_, name, cells_, kernel));
    passes_.push_back({reach, [kernel, &totals, slices = Slices{cells_}](int n) {
                         const Box b = slices(n);
                         for (int z = b.lo.z; z < b.hi.z; ++z)
                           for (int y = b.lo.y; y < b.hi.y; ++y) totals.run(kernel, y, z);
                       }});
  }
  void run() {
    run_as_wave(exec_, cells_, passes_);
    passes_.clear();
  }

 private:
  const Exec& exec_;
  Cells cells_;
  std::vector<Pass> passes_;
};

}  // namespace silt

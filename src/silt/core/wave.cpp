#include "silt/core/wave.h"

#include <algorithm>

namespace silt {

namespace {

/// Slices first to last (not included) as one thread's share: passes stay clear of where it meets other shares, each
/// by as much as it and those before it reach.
struct Share {
  int first, last;
  bool meets_before, meets_after;
};

void run_share(const Share& share, const std::vector<Pass>& passes) {
  int behind = 0;
  for (const Pass& pass : passes) behind += pass.reach;
  for (int front = share.first; front < share.last + behind; ++front) {
    int lag = 0;
    for (const Pass& pass : passes) {
      lag += pass.reach;
      const int slice = front - lag;
      if (slice >= share.first + (share.meets_before ? lag : 0) && slice < share.last - (share.meets_after ? lag : 0))
        pass.run(slice);
    }
  }
}

}  // namespace

std::vector<int> Slices::shares(int count, int least) const {
  std::vector<int> start(std::size_t(count) + 1, last());
  start[0] = first();
  for (int n = 1; n < count; ++n) {
    const int row = box.first_row_of(n, count), slice = axis() == 2 ? box.row_z(row) : box.row_y(row);
    start[n] = std::clamp(slice, start[n - 1] + least, last() - (count - n) * least);
  }
  return start;
}

void run_as_wave(const Exec& exec, const Cells& cells, const std::vector<Pass>& passes) {
  if (cells.empty()) return;
  const Slices slices{cells};
  int reach = 0;
  for (const Pass& pass : passes) reach += pass.reach;
  const int first = slices.first(), count = slices.last() - first;
  // A seam must leave something of the shares on both its sides.
  const int shares = exec.shares(cells.used()) ? std::clamp(count / (2 * reach + 1), 1, exec.threads()) : 1;
  if (shares < std::min(exec.threads(), count) && exec.shares(cells.used())) {
    // Too few slices for all threads to have a wave of their own: one pass after the other keeps them all busy.
    for (const Pass& pass : passes) {
#pragma omp parallel for schedule(static) num_threads(exec.threads())
      for (int slice = first; slice < first + count; ++slice) pass.run(slice);
    }
    return;
  }
  const std::vector<int> start = slices.shares(shares, 2 * reach + 1);
#pragma omp parallel num_threads(shares) if (shares > 1)
  {
#pragma omp for schedule(static)
    for (int n = 0; n < shares; ++n) run_share({start[n], start[n + 1], n > 0, n + 1 < shares}, passes);
    // What neighbouring shares left out where they meet, pass by pass.
    int lag = 0;
    for (const Pass& pass : passes) {
      lag += pass.reach;
#pragma omp for collapse(2) schedule(static)
      for (int n = 1; n < shares; ++n)
        for (int slice = 0; slice < 2 * lag; ++slice) pass.run(start[n] - lag + slice);
    }
  }
}

}  // namespace silt

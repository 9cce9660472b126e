#include "silt/core/wave.h"

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

void run_as_wave(const Exec& exec, const Box& box, const std::vector<Pass>& passes) {
  if (box.empty()) return;
  const Slices slices{box};
  int reach = 0;
  for (const Pass& pass : passes) reach += pass.reach;
  const int first = slices.first(), count = slices.last() - first;
  // A seam must leave something of the shares on both its sides.
  const int shares = exec.shares(box.count()) ? std::clamp(count / (2 * reach + 1), 1, exec.threads()) : 1;
  if (shares < std::min(exec.threads(), count) && exec.shares(box.count())) {
    // Too few slices for all threads to have a wave of their own: one pass after the other keeps them all busy.
    for (const Pass& pass : passes) {
#pragma omp parallel for schedule(static) num_threads(exec.threads())
      for (int slice = first; slice < first + count; ++slice) pass.run(slice);
    }
    return;
  }
  const auto start = [&](int share) { return first + int(std::int64_t(count) * share / shares); };
#pragma omp parallel num_threads(shares) if (shares > 1)
  {
#pragma omp for schedule(static)
    for (int n = 0; n < shares; ++n) run_share({start(n), start(n + 1), n > 0, n + 1 < shares}, passes);
    // What neighbouring shares left out where they meet, pass by pass.
    int lag = 0;
    for (const Pass& pass : passes) {
      lag += pass.reach;
#pragma omp for collapse(2) schedule(static)
      for (int n = 1; n < shares; ++n)
        for (int slice = 0; slice < 2 * lag; ++slice) pass.run(start(n) - lag + slice);
    }
  }
}

}  // namespace silt

#pragma once

#include <algorithm>
#include <cmath>

namespace silt {

/// Simulated time. Frame k is at (k - 1) / fps, computed from k, so that no error gathers over a long run.
struct Clock {
  double fps = 24;
  int frame = 0;    ///< last complete frame; 0 before the first
  double time = 0;  ///< [s]

  double time_of(int k) const { return (k - 1) / fps; }
  double frame_end() const { return time_of(frame + 1); }
};

/// The next substep: as large as the flow allows, such that equal ones land on `end`.
struct SubstepPlan {
  double dt = 0;
  double left = 0;  ///< substeps to `end`, this one included, if the flow keeps its speed

  bool lands() const { return left == 1; }
};

/// n = ceil(remaining / largest), dt = remaining / n: a pure function, so a resumed run takes the same steps. The small
/// allowance keeps rounding from turning 3 equal steps into 4.
inline SubstepPlan plan_substep(double time, double end, double largest) {
  const double remaining = end - time;
  const double left = std::max(1.0, std::ceil(remaining / largest * (1 - 1e-9)));
  return {remaining / left, left};
}

}  // namespace silt

#pragma once

#include <string>

namespace silt::bench {

/// What Mantaflow, in Blender, took for a substep of the plume of bench/peers/mantaflow_smoke.py.
struct MantaflowAnswer {
  std::string library{}, options{};
  double cells = 0;
  double wall = 0, cpu = 0;  ///< of the quickest substep [s]
};

/// Whether there is a `blender` to start.
bool has_blender();

/// `cells` along the longest side; the quickest of `substeps` after the first `warm_up`. Error when it breaks down.
MantaflowAnswer ask_mantaflow(int cells, int threads, int warm_up, int substeps);

}  // namespace silt::bench

#pragma once

#include <string>

namespace silt::bench {

/// What Mantaflow, in Blender, took for a substep of one of the scenes in bench/peers.
struct MantaflowAnswer {
  std::string library{}, options{};
  double items = 0;          ///< cells of smoke, particles of a liquid
  double wall = 0, cpu = 0;  ///< of the quickest substep [s]
};

/// Whether there is a `blender` to start.
bool has_blender();

/// `script`: its name in bench/peers; `cells` along the longest side; the quickest of `substeps` after the first
/// `warm_up`. Error when it breaks down.
MantaflowAnswer ask_mantaflow(const std::string& script, int cells, int threads, int warm_up, int substeps);

}  // namespace silt::bench

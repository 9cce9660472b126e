#pragma once

#include <string>

#include "bench/bench_run.h"

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

/// What it is asked for.
struct MantaflowScene {
  std::string script, item;  ///< in bench/peers; "cell"
  int warm_up = 0, substeps = 0;
  std::string per = "substep";
};
/// Mantaflow on the same grid, with steps of about the same length, beside silt's `microseconds` an item and substep;
/// silt has to be `least` times as fast. Says so where it cannot be run.
void race_mantaflow(BenchRun& bench, const MantaflowScene& scene, int cells, int threads, double microseconds,
                    double least);

}  // namespace silt::bench

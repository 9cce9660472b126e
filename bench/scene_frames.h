#pragma once

#include <map>
#include <string>

#include "silt/simulation.h"

namespace silt::bench {

/// A frame of a run: seconds a substep, by stage and in all, and what the machine worked for it.
struct Taken {
  int substeps = 0;
  double wall = 0, cpu = 0;  ///< a substep [s]
  std::map<std::string, double> stages;
};
Taken next_frame(Simulation& sim);

/// The quickest of several frames, once a scene has got going.
struct Quickest {
  int first = 0, substeps = 0;  ///< that went before those measured; measured
  Taken best;
  double mean = 0, slowest = 0;  ///< wall time of all substeps measured, and of those of the slowest frame [s]
  double residual = 0;           ///< of the solve that is looked at, the worst
  int iterations = 0;            ///< the most it took
  double mean_iterations = 0;    ///< of the frames: the most that each took
};
/// Measured are at least `measured` substeps after at least `before`. `solve`: the one to look at.
Quickest quickest_frame(Simulation& sim, int before, int measured, const std::string& solve = "pressure");

/// What a substep handles: cells, or particles.
struct Items {
  std::string name;  ///< "cell"
  double count = 0;
  /// Bytes of each that a stage must move, each input read once and each output written once; where they are known.
  std::map<std::string, double> stage_bytes{};
};
/// Stages, the longest first; what takes less than a thousandth is left out.
std::string stage_table(const Taken& taken, const Items& items, double copy_bandwidth);

}  // namespace silt::bench

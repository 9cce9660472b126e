#pragma once

#include <cstdint>

#include "silt/scene.h"

namespace silt {

/// What running a scene would take, before it runs: for `silt check`. Cells are reckoned exactly, and so
/// are memory and the bound on disk of smoke; of water and sand they are near, since nobody knows where it will splash.
/// The substeps and the time are guesses, good to a factor of three or so; sand that runs thinly down slopes, or for
/// ever out of a hole, may take five times as long.
struct SceneEstimate {
  std::int64_t cells = 0;      ///< of the domain
  std::int64_t particles = 0;  ///< of water and sand, at most; sinks and what gets lost are not counted
  double memory_bytes = 0;
  double disk_bytes_per_frame = 0;  ///< at most: empty parts of a volume take no room
  double disk_total = 0;            ///< of the frames that are kept, and two checkpoints
  double speed = 0;                 ///< guess at the fastest flow [m/s]
  double substeps_per_frame = 1;    ///< guess at the mean, from the speed, gravity and the CFL number
  double seconds = 0;               ///< rough guess at wall time on two cores, pictures not counted
};
SceneEstimate estimate(const Scene& scene);

}  // namespace silt

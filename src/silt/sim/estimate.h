#pragma once

#include <cstdint>

#include "silt/scene.h"

namespace silt {

/// What running a scene would take, before it runs: for `silt check` and `silt run`. Cells are reckoned exactly; the
/// memory of smoke and gas is near, that of water and sand within a quarter in the scenes that come with silt, since
/// nobody knows where it will splash. The substeps and the time are guesses, good to a factor of three or so; sand that
/// runs thinly down slopes, or for ever out of a hole, may take five times as long.
struct SceneEstimate {
  std::int64_t cells = 0;             ///< of the domain
  std::int64_t particles = 0;         ///< of water and sand, at most; sinks and what gets lost are not counted
  double memory_bytes = 0;            ///< of the simulation, its frames and surfaces
  double picture_memory = 0;          ///< while one is drawn [bytes]
  double disk_bytes_per_frame = 0;    ///< of a frame that is kept, at most: empty parts of a volume take no room
  double disk_bytes_per_picture = 0;  ///< its share of the film included; every frame has one
  double checkpoint_bytes = 0;
  double speed = 0;               ///< guess at the fastest flow [m/s]
  double substeps_per_frame = 1;  ///< guess at the mean, from the speed, gravity and the CFL number
  double seconds = 0;             ///< rough guess at wall time on two cores, pictures not counted
};
SceneEstimate estimate(const Scene& scene);

/// Of the process at its peak: the program and its libraries too [bytes].
double peak_memory(const SceneEstimate& cost, bool pictures);
/// Of what a run writes after so many of its frames, and of two checkpoints [bytes].
double disk_needed(const Scene& scene, const SceneEstimate& cost, bool pictures, int after = 0);

}  // namespace silt

#pragma once

/// What the estimates of several materials are made of.

#include "silt/sim/estimate.h"

namespace silt {

/// The largest of the keys.
double fastest(const Animated<Vec3d>& velocity);
double highest(const Animated<double>& value);

/// Of fluid beside walls and solids that move [m/s]; round a solid it goes half as fast again.
double speed_beside_solids(const Scene& scene);
/// What force fields make of fluid at rest, pushing along half of the longest side; and the winds [m/s].
double driven_speed(const Scene& scene);
/// Of all the scene's meshes; one that several shapes share counts once.
double mesh_bytes(const Setting& setting);

/// A frame's share of the time, in steps that are no longer than `longest` [s].
double substeps_per_frame(const Scene& scene, double longest);

/// Water or sand in a scene, in cells of it: what is there at the start, and what its sources have poured by the end.
struct ParticleAmount {
  double at_start = 0, poured = 0;
};
ParticleAmount particle_amount(const Scene& scene);

SceneEstimate estimate_smoke(const Scene& scene);
SceneEstimate estimate_gas(const Scene& scene);
/// Of water or sand.
SceneEstimate estimate_particles(const Scene& scene);

}  // namespace silt

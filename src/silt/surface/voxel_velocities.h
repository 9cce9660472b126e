#pragma once

#include "silt/surface/level_set_surface.h"
#include "silt/surface/particle_bins.h"

namespace silt {

/// How far from the surface voxels have a velocity [voxels]: as far as OpenVDB's narrow bands reach.
inline constexpr float velocity_band = 3;

/// Of each voxel near the surface the mean velocity of the particles near it, with the weights of the mesh's corners.
void add_voxel_velocities(const Exec& exec, const ParticleBins& bins, float reach, BlockField& field);
/// The same from the solver's own velocities, if the frame has them.
void add_voxel_velocities(const Exec& exec, const Frame& frame, std::string_view material, BlockField& field);

}  // namespace silt

#pragma once

#include "silt/fields/frame.h"
#include "silt/surface/particle_bins.h"

namespace silt {

/// Of each corner the mean velocity of the particles near it, with the weights the surface is made with. `voxels`: the
/// lattice that the bins count in; `reach` in voxels. Corners near each other should come one after the other.
void add_velocities(const Exec& exec, const ParticleBins& bins, const Lattice& voxels, float reach, Mesh& mesh);

}  // namespace silt

#pragma once

#include "silt/surface/block_loop.h"

namespace silt {

/// phi = min(phi, the mean of its neighbours), so often: dents and bumps' edges are filled, and no drop or edge is lost
/// (Zhu, chapter 4). What that adds to the volume is then taken off evenly: phi is raised by it, over the area.
void smooth_down(const Exec& exec, int passes, const VoxelRange& within, BlockField& field);

/// The voxels near the surface with liquid below them, 1.5 cells deep and more.
std::vector<std::uint8_t> find_thick(const Exec& exec, const ParticleBins& bins, const BlockField& field);

/// Lets the surface of what is thick move by its curvature, phi_t = kappa |grad phi| for `steps` of 0.2 voxels^2, and
/// then makes up for the volume: bumps and dents go alike, whatever the field's slope. Drops, sheets and edges of what
/// is thin stay.
void even_out(const Exec& exec, int steps, const std::vector<std::uint8_t>& thick, const VoxelRange& within,
              BlockField& field);

/// What the field encloses [voxels] within a box of voxels, and the area of its surface [voxels^2].
struct Enclosed {
  double volume = 0, area = 0;
};
Enclosed enclosed(const Exec& exec, const VoxelRange& within, const BlockField& field);

}  // namespace silt

#pragma once

#include "silt/surface/block_field.h"

namespace silt {

/// phi = min(phi, the mean of its neighbours), so often: dents and bumps' edges are filled, and no drop or edge is lost
/// (Zhu, chapter 4). What that adds to the volume is then taken off evenly: phi is raised by it, over the area.
void smooth_down(const Exec& exec, int passes, BlockField& field);

/// What the field encloses [voxels], and the area of its surface [voxels^2].
struct Enclosed {
  double volume = 0, area = 0;
};
Enclosed enclosed(const Exec& exec, const BlockField& field);

}  // namespace silt

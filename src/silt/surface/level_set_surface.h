#pragma once

#include "silt/surface/block_field.h"
#include "silt/surface/cut.h"

namespace silt {

/// The field of a frame's level set "surface", between its cells: for frames without particles. False when it has none.
bool field_of_level_set(const Frame& frame, std::string_view material, const Lattice& voxels, const Cut& cut,
                        const Exec& exec, BlockField& field);

/// Velocities of corners from the frame's volume "velocity", where it has one.
void add_velocities_of_volume(const Frame& frame, std::string_view material, const Exec& exec, Mesh& mesh);

}  // namespace silt

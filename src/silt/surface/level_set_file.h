#pragma once

#include "silt/cache/bytes.h"
#include "silt/fields/frame.h"
#include "silt/surface/block_field.h"

namespace silt {

/// The level set of a surface as OpenVDB: a grid "surface" of floats [m], negative inside, with voxels of its own
/// size; blocks of the field are leaves of the tree. Beside it, where the field has them, its velocities [m/s] as
/// "velocity" and as "vel". Read by `decode_volumes`, as a frame whose lattice is that of the
/// voxels.
Bytes encode_level_set(const Frame& frame, std::string_view material, const BlockField& field);

}  // namespace silt

#pragma once

#include "silt/fields/frame.h"
#include "silt/surface/block_field.h"

namespace silt {

/// The surface of a field by marching cubes: closed, each edge with two triangles, corners shared; with normals from
/// the field's slope. Corners of a block come one after the other, blocks in their order: the same for any number of
/// threads. The field's gaps must be closed. `first_corner`, if given: of each slot, and the end.
Mesh mesh_of(const Exec& exec, const BlockField& field, std::vector<std::int32_t>* first_corner = nullptr);

}  // namespace silt

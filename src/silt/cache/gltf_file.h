#pragma once

/// One frame as binary glTF 2.0 (.glb): what web pages, phones, game engines and office programs open. Meshes with
/// normals, points, and bodies as nodes with a place of their own. Velocities and named numbers are attributes of the
/// programs' own kind: _V, _WETNESS. It has no volumes.

#include "silt/cache/bytes.h"
#include "silt/fields/frame.h"

namespace silt {

/// The frame must have y up, as glTF's standard asks: see oriented.h.
Bytes encode_gltf(const Frame& frame);

}  // namespace silt

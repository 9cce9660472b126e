#pragma once

#include <string>
#include <vector>

#include "silt/cache/bytes.h"
#include "silt/core/exec.h"
#include "silt/fields/frame.h"
#include "silt/surface/params.h"

namespace silt {

/// A file of a frame's surface, not yet written.
struct SurfaceFile {
  std::string name;  ///< within the run folder: "cache/water.surface.0001.ply"
  std::string kind;  ///< of the manifest
  Bytes bytes;
};

/// The surface of each material of the frame that has particles or a level set: a mesh, and the level set it is of
/// where that is wanted. `instant` tells surfaces between frames apart: "1of4".
std::vector<SurfaceFile> surface_files(const Frame& frame, const SurfaceParams& params, bool level_set,
                                       const std::string& instant, const Exec& exec);

}  // namespace silt

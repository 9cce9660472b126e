#pragma once

#include "silt/cache/run_folder.h"
#include "silt/core/exec.h"
#include "silt/fields/frame.h"
#include "silt/scene.h"

namespace silt {

/// Whether the scene's [output] keeps anything of this frame in the cache.
bool is_kept(int frame, const Scene& scene);

/// Writes what the scene's [output] keeps of a frame: volumes, points and bodies.
void write_parts(RunFolder& folder, const Frame& frame, const Scene& scene);

/// Writes its surface, if [output] asks for it.
void write_surface(RunFolder& folder, const Frame& frame, const Scene& scene, const Exec& exec);

}  // namespace silt

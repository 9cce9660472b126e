#pragma once

#include <functional>
#include <map>
#include <string>

#include "silt/sim/read_scene.h"
#include "silt/sim/scene_blocks.h"

namespace silt {

/// The shapes of a scene by name. One that has something wrong with it, or is made of such a one, is left out: it has
/// been reported. Unknown names are check_document's to report.
///
/// Shapes that come from files get the digest of what was read; one that a block already has must be the same.
std::map<std::string, Shape> build_shapes(SceneBlocks& blocks, Files files, Diagnostics& diagnostics);

/// Whether a function that changes by at most 1 a metre is negative somewhere in a box. `no` is proven, as is `yes`;
/// `unknown` when a few thousand looks did not tell. Of a function that touches zero that is always so: with a `grain`
/// [m] boxes no longer than it are looked at in their middle alone, and what is thinner may be overlooked.
enum class Somewhere { yes, no, unknown };
Somewhere negative_somewhere(const std::function<double(const Vec3d&)>& f, const Vec3d& lowest, const Vec3d& highest,
                             double grain = 0);

}  // namespace silt

#pragma once

#include "silt/scene.h"
#include "silt/scene/document.h"
#include "silt/sim/machine.h"

namespace silt {

/// Whether the files that shapes come from are opened: not for a scene that is only looked at. Something else then
/// stands in for those shapes, and where things are is not checked.
enum class Files { read, leave };

/// The scene that a document describes. Throws a SceneError with every problem of meaning.
Scene read_scene(const Document& document, const std::string& name, double scale, const Machine& machine,
                 Files files = Files::read);

}  // namespace silt

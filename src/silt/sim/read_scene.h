#pragma once

#include "silt/scene.h"
#include "silt/scene/document.h"
#include "silt/sim/machine.h"

namespace silt {

/// The scene that a document describes. Throws a SceneError with every problem of meaning.
Scene read_scene(const Document& document, const std::string& name, double scale, const Machine& machine);

}  // namespace silt

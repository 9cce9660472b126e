#pragma once

#include <memory>

#include "silt/physics/common/model.h"
#include "silt/scene.h"

namespace silt {

/// The stepper for what a scene holds. The one place that knows which materials, and which of them together, have one.
std::unique_ptr<Model> make_model(const Scene& scene, int pad);

}  // namespace silt

#pragma once

#include "silt/core/exec.h"
#include "silt/fields/frame.h"
#include "silt/render/image.h"
#include "silt/render/params.h"

namespace silt {

/// A picture of a frame: a coloured map when its z axis is flat, lit smoke and water otherwise. The same for any number
/// of threads.
Image render_frame(const Frame& frame, const RenderParams& params, const Exec& exec);

}  // namespace silt

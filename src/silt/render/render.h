#pragma once

#include "silt/core/exec.h"
#include "silt/fields/frame.h"
#include "silt/render/exposure.h"
#include "silt/render/image.h"
#include "silt/render/params.h"

namespace silt {

/// A picture of a frame: a coloured map when its z axis is flat; otherwise what a camera would see, by paths of light.
/// The same for any number of threads.
Image render_frame(const Frame& frame, const RenderParams& params, const Exec& exec, const Progressing& progress = {});

/// A 3D frame as linear light, with what is known of each pixel beside it; denoised where `params` says so.
Exposure expose_frame(const Frame& frame, const RenderParams& params, const Exec& exec,
                      const Progressing& progress = {});
/// What a screen can show of it.
Image develop(const Exposure& picture, const LookParams& look);

}  // namespace silt

#pragma once

#include "silt/core/exec.h"
#include "silt/fields/frame.h"
#include "silt/render/image.h"
#include "silt/render/params.h"

namespace silt {

/// A 2D frame as a coloured map of one volume, with axes in metres, a colour bar in the quantity's unit, obstacles (the
/// level set "solid") and the time; over it, where they are asked for, contours, arrows of the velocity and particles.
/// The level set "surface" is shown as a body of water, and so is a frame that has it and no smoke; "particles" are
/// coloured by their speed. 1D frames are lines: see plot_lines.h. Throws InputError when the frame has no such volume.
Image plot_frame(const Frame& frame, const RenderParams& params, const Exec& exec);

}  // namespace silt

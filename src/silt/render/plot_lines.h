#pragma once

#include "silt/fields/frame.h"
#include "silt/render/image.h"
#include "silt/render/params.h"

namespace silt {

/// A 1D frame: values over x, as a line in a panel of its own for each volume; of velocities the part along x. The
/// look's quantity is one of them, or "all". Where the level set "solid" is negative the panel is filled. Throws
/// InputError when the frame has no such volume.
Image plot_lines(const Frame& frame, const RenderParams& params);

}  // namespace silt

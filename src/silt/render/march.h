#pragma once

#include "silt/core/exec.h"
#include "silt/fields/frame.h"
#include "silt/render/image.h"
#include "silt/render/params.h"

namespace silt {

/// Radiance of a 3D frame: ray-marched smoke (the volume "density", glowing where "temperature" is high) lit by a sun
/// and a sky, obstacles (the level set "solid"), water (the level set "surface") that mirrors and bends light, and the
/// ground at the domain's floor, each throwing shadows on the others. A preview: light scattered once is followed,
/// light scattered more often is approximated.
Image march_frame(const Frame& frame, const RenderParams& params, const Exec& exec);

}  // namespace silt

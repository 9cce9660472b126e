#pragma once

#include <string>
#include <vector>

#include "silt/core/exec.h"
#include "silt/fields/frame.h"
#include "silt/render/image.h"
#include "silt/render/params.h"

namespace silt {

/// A 2D frame as a coloured map of one volume, with obstacles (the level set "solid"), a scale bar in metres, a colour
/// bar in the quantity's unit, and the time. The level set "surface" is shown as a body of water, and so is a frame
/// that has it and no smoke; "particles" are coloured by their speed. Throws InputError when the frame has no such
/// volume.
Image plot_frame(const Frame& frame, const RenderParams& params, const Exec& exec);

/// The largest of 1, 2, 5 times a power of ten that is at most x > 0.
double round_down(double x);
/// A length as a label: "0.2 m", "5 mm".
std::string length_label(double metres);
/// About five round numbers from lo to hi.
std::vector<double> ticks(double lo, double hi);

}  // namespace silt

#pragma once

#include <optional>

#include "silt/fields/frame.h"

namespace silt {

/// The curl of a flat frame's velocity [1/s], counter-clockwise positive:  w = dv/dx - du/dy  by central differences,
/// one-sided at sides that are not periodic. Made from frames, so that it need not be kept.
Volume vorticity_of(const Frame& frame, const Volume& velocity);

/// The frame with every volume on one box, as pictures want it: where one came in several, on the smallest box round
/// them, with its background in between; what lies farther out of the domain than that is wide is left out. Nothing
/// when none does.
std::optional<Frame> with_joined_boxes(const Frame& frame);

}  // namespace silt

#pragma once

#include "silt/fields/frame.h"

namespace silt {

/// The instant `part` of the way from one frame to the next, 0 to 1: particles on the cubic that has their places and
/// velocities at both ends, found by their ids, so that what is small and fast is there too, where a blend of two level
/// sets would have lost it (Zhu, chapter 4). A particle of one frame only goes on with its velocity; one that was born
/// meanwhile is there from then on. Of volumes it has "solid" alone, blended.
Frame frame_between(const Frame& before, const Frame& after, double part);

}  // namespace silt

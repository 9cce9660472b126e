#pragma once

#include "silt/cache/bytes.h"
#include "silt/fields/frame.h"

namespace silt {

/// Points as a binary PLY without faces, for programs that do not read OpenVDB's points: x y z, then what is known of
/// them: vx vy vz, id (a double, since PLY has no 64-bit integers: exact to 2^53), age, source, red green blue
/// (linear), pscale, and their named numbers. The instant is a comment of the header.
Bytes encode_points_ply(const Frame& frame, const Points& points);

}  // namespace silt

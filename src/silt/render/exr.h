#pragma once

#include <string>

#include "silt/render/exposure.h"

namespace silt {

/// An OpenEXR file for compositing: linear light R, G, B and coverage A as half floats, with albedo.R .., normal.X ..
/// and the depth Z [m] as floats.
std::string encode_exr(const Exposure& picture);

}  // namespace silt

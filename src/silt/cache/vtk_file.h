#pragma once

/// Frames for ParaView and all else that reads VTK's XML files: raw binary numbers after the XML, little-endian, with
/// 64-bit lengths. Names are Houdini's: vel, surface, v, id, age, pscale, Cd, N; other numbers keep theirs. Every file
/// has the instant as field data `TimeValue`.

#include <string>
#include <string_view>
#include <vector>

#include "silt/cache/bytes.h"
#include "silt/fields/frame.h"

namespace silt {

/// A picture box that is larger than this many cells is refused: its empty room would fill memory and disk.
inline constexpr std::int64_t most_image_cells = std::int64_t(1) << 30;

/// .vti: all volumes of a material as cell data on the smallest box round them, backgrounds in between. Extents are the
/// lattice's indices. InputError when the box has more than `most_image_cells`.
Bytes encode_vti(const Frame& frame, std::string_view material);
/// .vtu: the same values on those cells alone where a volume is not its background, each a voxel; corners are shared.
Bytes encode_vtu(const Frame& frame, std::string_view material);
/// .vtp: points as vertices, positions in double precision.
Bytes encode_vtp(const Frame& frame, const Points& points);
/// .vtp: triangles.
Bytes encode_vtp(const Frame& frame, const Mesh& mesh);

}  // namespace silt

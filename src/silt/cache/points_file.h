#pragma once

/// Points as OpenVDB files, one grid "points" with the attributes that Houdini and Blender know: P (position), v
/// (velocity), id, age, Cd (colour), pscale (radius); and source, and the points' named numbers, each under its
/// own name. A file of their own, since some programs that read volumes cannot open a file with points in it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "silt/cache/vdb_archive.h"

namespace silt {

struct PointsFileOptions {
  bool half = false;  ///< velocities as 16-bit floats: 3 digits
};

/// One .vdb with all the points of `material` in the frame. What is not known of all of them is left out. Positions
/// keep 24 bits within their cell. The same frame gives the same bytes.
Bytes encode_points(const Frame& frame, std::string_view material, const PointsFileOptions& options = {});

/// The frame and its points, those of a cell together and by id. `verified` are the file's bytes, checked against the
/// manifest: OpenVDB trusts what it reads. `path` is for messages. IoError when silt did not write it.
Frame decode_points(const std::filesystem::path& path, const Bytes& verified);

/// Of a grid of any .vdb: nothing when it has no points.
struct PointsInfo {
  std::int64_t count = 0;
  std::vector<std::string> attributes;
};
std::optional<PointsInfo> describe_points(const AnyGrid& grid);

}  // namespace silt

#pragma once

/// Volumes as OpenVDB files, for Blender, Houdini and our own pictures. Index (i, j, k) of every grid is cell (i, j, k)
/// of the lattice; see vdb_archive.h. A flat axis is one voxel thick, index 0.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "silt/cache/bytes.h"
#include "silt/fields/frame.h"

namespace silt {

struct VolumeFileOptions {
  bool half = false;    ///< store 16-bit floats: half the size, 3 digits; not where some are over 65504
  float tolerance = 0;  ///< values this near to the background are not stored
};

/// One .vdb with every volume of `material` in the frame.
///   fog        active where it differs from the background; empty 8^3 blocks take no room
///   level_set  clamped to a band of 3 h; deep inside is filled with -3 h
///   vector     three floats a voxel. "velocity" is there as "vel" too, one tree under two names, stored once
/// The boxes of one volume become one grid. The same frame gives the same bytes.
Bytes encode_volumes(const Frame& frame, std::string_view material, const VolumeFileOptions& options = {});

/// The frame and its volumes, dense on the boxes they had. `verified` are the file's bytes, checked against the
/// manifest: OpenVDB trusts what it reads. `path` is for messages. IoError when silt did not write it.
Frame decode_volumes(const std::filesystem::path& path, const Bytes& verified);

/// Caps the threads that reading and writing volumes use (OpenVDB's, in the whole process), as --threads asks.
void limit_volume_threads(int threads);

/// The grids of any .vdb file, points included.
struct GridInfo {
  std::string name, type, grid_class;
  std::int64_t active_voxels = 0;
  Box index_bounds;          ///< of what is active; empty when nothing is
  Vec3d voxel_size;          ///< [m]
  Vec3d world_lo, world_hi;  ///< [m]
  double min = 0, max = 0;   ///< of active values; lengths of vectors. Both 0 when nothing is active.
  bool half = false;
  std::int64_t points = 0;              ///< of a grid of points, with the names of what is known of each
  std::vector<std::string> attributes;  ///< "P", "v", ...
};
struct VolumeFileInfo {
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<GridInfo> grids;
};
VolumeFileInfo describe_volumes(const std::filesystem::path& path, const Bytes& bytes);

}  // namespace silt

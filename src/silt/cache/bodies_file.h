#pragma once

/// Where a frame's bodies are, as JSON. A point x of a body's shape, which is a PLY file of its own (see mesh_file.h),
/// is at rotation * (scale x) + translation [m] and moves with velocity + spin x (that - centre). A body that keeps its
/// form has one such file for good, one that deforms another in each frame.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "silt/fields/frame.h"

namespace silt {

/// A body whose shape is in a file of the run's folder.
struct FiledBody {
  std::string name;
  Pose pose;
  std::string shape;  ///< "cache/post.shape.0001.ply"
};

/// The same bodies give the same bytes.
std::string encode_bodies(const Frame& frame, const std::vector<FiledBody>& bodies);

/// `text` is the file's, checked against the manifest; `path` is for messages. IoError when silt did not write it.
std::vector<FiledBody> decode_bodies(const std::filesystem::path& path, std::string_view text);

}  // namespace silt

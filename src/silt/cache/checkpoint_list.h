#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "silt/cache/manifest.h"

namespace silt {

/// The order of checkpoints: the frame after which one was written, and which of that frame it is.
struct CheckpointPlace {
  int frame = 0, turn = 1;
  friend auto operator<=>(const CheckpointPlace&, const CheckpointPlace&) = default;
};

/// "checkpoints/0048.safetensors", and "checkpoints/0048-2.safetensors" for the second of that frame.
std::string checkpoint_name(CheckpointPlace place);
/// Nothing when it is no such name.
std::optional<CheckpointPlace> checkpoint_place(std::string_view name);

struct CheckpointFile {
  std::string name;
  CheckpointPlace place;
  bool listed = false;  ///< by the manifest; else it may still prove itself
};

/// Those the manifest lists and those that lie in the folder, oldest first.
std::vector<CheckpointFile> checkpoint_files(const Manifest& manifest);

}  // namespace silt

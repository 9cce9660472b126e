#pragma once

#include <filesystem>
#include <string>

namespace silt {

/// A file a scene names. Relative paths start from the scene file's folder.
struct ScenePath {
  std::string written;             ///< as the scene has it, "foot.####.obj"; empty: none
  std::filesystem::path resolved;  ///< where it is

  bool empty() const { return written.empty(); }
  friend bool operator==(const ScenePath&, const ScenePath&) = default;
};

}  // namespace silt

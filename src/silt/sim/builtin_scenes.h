#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace silt {

/// A scene that comes with silt. They are the .toml files of the source's scenes/ folder, or of the folder that the
/// environment variable SILT_SCENES names.
struct BuiltinScene {
  std::string name;  ///< "smoke_plume"
  std::filesystem::path path;
  std::string summary;  ///< the first comment of the file
};

/// By name.
std::vector<BuiltinScene> builtin_scenes();

/// A file that is there, or else the built-in scene of that name. Throws an InputError that suggests what was meant.
std::filesystem::path find_scene(const std::string& name_or_path);

/// Throws an InputError when this is no file that can be read; suggests what was meant.
void require_scene_file(const std::filesystem::path& path);

}  // namespace silt

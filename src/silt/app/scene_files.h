#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "silt/scene.h"

namespace silt {

/// What SCENE on the command line stands for.
struct SceneFile {
  std::filesystem::path path;
  std::filesystem::path run_folder;  ///< not empty: SCENE was a run folder, and this is it
};

/// A file, a run folder, or the name of a built-in scene. InputError with a suggestion when it is none of them.
SceneFile choose_scene(const std::string& scene);

/// Loads it with everything the command line says; prints its warnings.
Scene load_scene_file(const SceneFile& file, std::vector<std::string> overrides, int frames, double scale);

}  // namespace silt

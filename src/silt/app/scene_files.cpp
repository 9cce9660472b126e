#include "silt/app/scene_files.h"

#include "silt/app/say.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/sim/builtin_scenes.h"

namespace fs = std::filesystem;

namespace silt {

SceneFile choose_scene(const std::string& scene) {
  std::error_code error;
  if (!fs::is_directory(scene, error)) return {find_scene(scene), {}};
  const fs::path folder = scene;
  if (!fs::exists(folder / "scene.toml", error))
    throw InputError(str(scene, " is a folder without a scene.toml: give a scene file or a run folder"));
  return {folder / "scene.toml", folder};
}

Scene load_scene_file(const SceneFile& file, std::vector<std::string> overrides, int frames, double scale) {
  if (frames > 0) overrides.push_back(str("run.frames=", frames));
  Scene scene = load_scene(file.path, overrides, scale);
  if (!file.run_folder.empty()) {
    const fs::path folder = fs::absolute(file.run_folder).lexically_normal();
    scene.name = (folder.has_filename() ? folder : folder.parent_path()).filename().string();
  }
  for (const std::string& warning : scene.warnings) say_lines(warning);  // has its place
  return scene;
}

}  // namespace silt

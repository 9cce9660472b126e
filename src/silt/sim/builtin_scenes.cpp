#include "silt/sim/builtin_scenes.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "silt/core/error.h"
#include "silt/scene/diagnostics.h"
#include "silt/scene/utf8.h"

namespace silt {
namespace fs = std::filesystem;
namespace {

fs::path scenes_folder() {
  const char* folder = std::getenv("SILT_SCENES");
  return folder && *folder ? fs::path(folder) : fs::path(SILT_SOURCE_DIR) / "scenes";
}

/// The .toml files of a folder, by name; none when it cannot be read.
std::vector<fs::path> toml_files(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code error;
  for (fs::directory_iterator at(folder.empty() ? fs::path(".") : folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code ignored;
    if (at->path().extension() == ".toml" && at->is_regular_file(ignored)) out.push_back(at->path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string first_comment(const fs::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line) && line.size() < 1000;) {
    if (line.empty()) continue;
    if (line[0] != '#') break;
    const std::size_t from = line.find_first_not_of("# \t");
    if (from != std::string::npos) return printable(line.substr(from));
  }
  return {};
}

/// What a name that leads nowhere was likely meant to be, as a line; or what there is to choose from.
std::string suggestion(const fs::path& path) {
  std::vector<std::string> near, names;
  for (const fs::path& file : toml_files(path.parent_path())) near.push_back(file.filename().string());
  for (const BuiltinScene& scene : builtin_scenes()) names.push_back(scene.name);

  const std::string name = path.filename().string();
  const std::string stem = path.extension() == ".toml" ? path.stem().string() : name;
  if (std::find(names.begin(), names.end(), stem) != names.end())
    return "did you mean the built-in scene '" + stem + "'?";
  for (const std::string& word : {name, name + ".toml"})
    if (const std::string file = closest_name(word, near); !file.empty())
      return "did you mean '" + (path.parent_path() / file).string() + "'?";
  if (const std::string scene = closest_name(stem, names); !scene.empty())
    return "did you mean the built-in scene '" + scene + "'?";
  const std::string builtin = names.empty() ? "" : "built-in scenes are " + list_names(names, "and");
  if (near.empty() || near.size() > 12) return builtin;
  return "there is " + list_names(near, "and") + (builtin.empty() ? "" : "; " + builtin);
}

[[noreturn]] void refuse(const std::string& message, const std::string& hint) {
  throw InputError(message + (hint.empty() ? "" : "\n  " + hint));
}

}  // namespace

std::vector<BuiltinScene> builtin_scenes() {
  std::vector<BuiltinScene> out;
  for (const fs::path& file : toml_files(scenes_folder()))
    out.push_back({file.stem().string(), file, first_comment(file)});
  return out;
}

fs::path find_scene(const std::string& name_or_path) {
  std::error_code error;
  if (fs::is_regular_file(name_or_path, error)) return name_or_path;
  for (const BuiltinScene& scene : builtin_scenes())
    if (scene.name == name_or_path) return scene.path;
  require_scene_file(name_or_path);
  return name_or_path;
}

void require_scene_file(const fs::path& path) {
  const std::string shown = "'" + printable(path.string()) + "'";
  if (path.empty()) refuse("no scene was named", suggestion("."));
  if (path.native().find('\0') != std::string::npos) refuse("the name " + shown + " has a NUL in it", "");
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) refuse("there is no scene " + shown, suggestion(path));
  if (fs::is_directory(status)) {
    const bool run = fs::is_regular_file(path / "scene.toml", error);
    refuse(
        shown + " is a folder, not a scene",
        run ? "the scene that ran there is '" + (path / "scene.toml").string() + "'" : suggestion(path / "scene.toml"));
  }
  if (status.type() == fs::file_type::none) refuse("cannot read scene " + shown + ": " + error.message(), "");
  if (!fs::is_regular_file(status)) refuse(shown + " is not a file", "");
  if (::access(path.c_str(), R_OK) != 0) refuse("cannot read scene " + shown + ": " + std::strerror(errno), "");
}

}  // namespace silt

#include "silt/app/past_run.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "silt/app/say.h"
#include "silt/cache/limits.h"
#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

/// What a manifest that cannot be read has lost; of a run that goes on, or was killed, files may be ahead of their
/// list.
std::string lost_by_damage(const RunFolder& folder) {
  try {
    const RunStatus status = folder.status();
    const bool going_on = status.phase == RunStatus::Phase::running || folder.in_use_by() != 0;
    return going_on ? std::string() : folder.unproven(status.frame);
  } catch (const IoError&) {  // run.json is damaged too
    return "";
  }
}

}  // namespace

std::string past_scene_text(const RunFolder& folder) {
  const std::string file = (folder.path() / "scene.toml").string();
  constexpr const char* advice = ": get it back from a copy, or run the scene again with --overwrite";
  if (!folder.directory().has("scene.toml")) throw InputError(str(file, " is missing", advice));
  try {
    if (folder.manifest().find("scene.toml")) return folder.scene_text();
    return std::string(folder.directory().root().read("scene.toml", largest_scene_file).text());
  } catch (const IoError& e) {
    throw IoError(str(e.what(), advice));
  }
}

Scene past_scene(const RunFolder& folder) {
  return parse_past_scene(past_scene_text(folder), (folder.path() / "scene.toml").string());
}

void tell_of_damage(const RunFolder& folder) {
  const std::string damage = folder.damage();
  if (damage.empty()) return;
  const std::string lost = lost_by_damage(folder);
  say_warning(lost.empty() ? str(damage, "\n  to mend it: ", shell_word(program_name()), " run ",
                                 shell_word(folder.path().string()), " --resume")
                           : str(damage, "\n  ", lost));
}

PastRun open_past_run(const std::string& path, bool film) {
  if (folder_state(path) == FolderState::run && ::access(path.c_str(), W_OK | X_OK) != 0)
    throw InputError(str("cannot write to ", path, ": ", std::generic_category().message(errno),
                         ": what is made goes into the run folder; copy it to a place of your own, and name that"));
  auto [folder, lock] = RunFolder::view_to_render(path, film);
  folder.remove_leftovers();
  tell_of_damage(folder);
  Scene scene = past_scene(folder);
  return {std::move(folder), std::move(lock), std::move(scene)};
}

std::string remedy(const RunFolder& folder, const std::string& command, int first, int last) {
  return str("get the file back or run the scene again, then: ", shell_word(program_name()), ' ', command, ' ',
             shell_word(folder.path().string()), " --frames ", first, first == last ? "" : str('-', last));
}

}  // namespace silt

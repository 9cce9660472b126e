#pragma once

#include <string>

#include "silt/cache/run_folder.h"
#include "silt/scene.h"

namespace silt {

/// The scene file as a folder's run had it. A crash while --resume wrote a new one leaves the file whole but off the
/// list. InputError when it is gone, IoError when it is damaged; both say what to do.
std::string past_scene_text(const RunFolder& folder);
Scene past_scene(const RunFolder& folder);

/// A warning where lines of its manifest cannot be read, with what mends it, or what is lost.
void tell_of_damage(const RunFolder& folder);

/// A run whose pictures or surfaces are made anew, kept from others who would.
struct PastRun {
  RunFolder folder;
  FileLock lock;
  Scene scene;
};
/// InputError when there is none, nothing can be written there, or somebody else is at it. `film`: see lock_pictures().
PastRun open_past_run(const std::string& path, bool film);

/// What to do when a file of a frame is damaged or gone, and then to make `command` again.
std::string remedy(const RunFolder& folder, const std::string& command, int first, int last);

}  // namespace silt

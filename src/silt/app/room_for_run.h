#pragma once

/// Whether a run has the memory and the disk that it will take, looked at before it begins.

#include <filesystem>
#include <string>

#include "silt/app/options.h"
#include "silt/scene.h"

namespace silt {

/// What a run will take from here on [bytes].
struct RunNeeds {
  double memory = 0;  ///< of the process at its peak
  double disk = 0;    ///< of what it has yet to write
};
/// `done`: frames that are there already. Without pictures when `pictures` is false.
RunNeeds needs_of(const Scene& scene, bool pictures, int done);

/// What there is for it [bytes]; 0 where that cannot be known.
struct RunRoom {
  double memory = 0, disk = 0;
};
/// `given_up`: what is on the disk now, and goes before the run writes [bytes].
RunRoom room_for(const std::filesystem::path& out, double given_up);

/// "needs about 1.2 GB of memory (21 GB are free) and 3 GB of disk (70 GB are free)"
std::string room_text(const RunNeeds& needs, const RunRoom& room);

/// InputError when the machine cannot take the run; a warning instead with `force`.
void check_room(const Scene& scene, const RunNeeds& needs, const RunRoom& room, bool force);

}  // namespace silt

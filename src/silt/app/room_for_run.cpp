#include "silt/app/room_for_run.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "silt/app/say.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/sim/estimate.h"
#include "silt/sim/machine.h"

namespace silt {
namespace {

std::string free_text(double bytes) {
  return bytes > 0 ? str(" (", bytes_text(bytes), " are free)") : std::string();
}

}  // namespace

RunNeeds needs_of(const Scene& scene, bool pictures, int done) {
  const SceneEstimate cost = estimate(scene);
  return {peak_memory(cost, pictures), disk_needed(scene, cost, pictures, done)};
}

RunRoom room_for(const std::filesystem::path& out, double given_up) {
  const double free = double(free_disk_bytes(out));
  return {double(this_machine().available_bytes), free > 0 ? free + given_up : 0};
}

std::string room_text(const RunNeeds& needs, const RunRoom& room) {
  return str("needs about ", bytes_text(needs.memory), " of memory", free_text(room.memory), " and ",
             bytes_text(needs.disk), " of disk", free_text(room.disk));
}

void check_room(const Scene& scene, const RunNeeds& needs, const RunRoom& room, bool force) {
  std::string problem;
  if (room.memory > 0 && needs.memory > room.memory)
    problem = str("the run needs about ", bytes_text(needs.memory), " of memory, and ", bytes_text(room.memory),
                  " are free here: close other programs, or take fewer cells (--scale 0.5)");
  else if (room.disk > 0 && needs.disk > room.disk)
    problem = str("the run writes about ", bytes_text(needs.disk), ", and ", bytes_text(room.disk),
                  " are free on that disk: make room, choose another folder with --out, or keep fewer frames "
                  "(--set output.every=",
                  std::max(2, int(std::ceil(needs.disk / room.disk)) * scene.output.every), ")");
  if (problem.empty()) return;
  if (!force) throw InputError(problem + "; --force runs it all the same");
  say_warning(problem);
}

}  // namespace silt

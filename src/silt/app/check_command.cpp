#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/say.h"
#include "silt/app/scene_files.h"
#include "silt/sim/estimate.h"
#include "silt/sim/machine.h"
#include "silt/sim/people.h"

namespace silt {
namespace {

std::string sides_text(const Domain& domain) {
  constexpr const char* axes[] = {"x", "y", "z"};
  constexpr const char* kinds[] = {"wall", "open", "periodic"};
  std::string text;
  int walls = 0, open = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (int end = 0; end < 2 && domain.lattice.active[axis]; ++end) {
      const Side side = domain.side(axis, end);
      walls += side == Side::wall, open += side == Side::open;
      if (side != Side::wall)
        text += fmt::format("{}{}_{} {}", text.empty() ? "" : ", ", axes[axis], end ? "max" : "min", kinds[int(side)]);
    }
  const int sides = 2 * domain.lattice.dims();
  if (walls == sides || open == sides) return walls ? "walls all round" : "open all round";
  return walls ? text + "; the others are walls" : text;
}

template <class Named>
std::string names_text(const std::vector<Named>& things) {
  std::string text;
  for (const Named& thing : things) text += (text.empty() ? "" : ", ") + thing.name;
  return text.empty() ? "none" : text;
}

std::string memory_text(const Scene& scene, const SceneEstimate& cost) {
  const bool pictures = scene.output.pictures;
  std::string text = "about " + bytes_text(peak_memory(cost, pictures));
  if (pictures) text += fmt::format(", {} with --no-pictures", bytes_text(peak_memory(cost, false)));
  const double available = double(this_machine().available_bytes);
  return available > 0 ? text + fmt::format("; {} are free here", bytes_text(available)) : text;
}

/// A frame, and its picture.
std::string disk_text(const Scene& scene, const SceneEstimate& cost) {
  const bool pictures = scene.output.pictures;
  return fmt::format("{} {} ({} a frame{})", scene.has_particles() ? "about" : "at most",
                     bytes_text(disk_needed(scene, cost, pictures)), bytes_text(cost.disk_bytes_per_frame),
                     pictures ? fmt::format(", {} a picture", bytes_text(cost.disk_bytes_per_picture)) : "");
}

}  // namespace

int check_command(const CheckOptions& options) {
  const Scene scene = load_scene_file(choose_scene(options.scene), options.set, options.frames, options.scale);
  const SceneEstimate cost = estimate(scene);
  const Domain& domain = scene.setting.domain;
  const int dims = domain.lattice.dims();
  const auto row = [](const char* name, const std::string& text) { put(fmt::format("  {:<10} {}\n", name, text)); };

  put(scene.name + ": good\n");
  row("grid", fmt::format("{} cells of {} m, {} in all", cells_text(domain.cells.size().as<double>(), dims),
                          short_text(domain.lattice.h), count_text(double(cost.cells))));
  row("domain", fmt::format("{} to {} m, {}", vector_text(domain.lower(), dims), vector_text(domain.upper(), dims),
                            sides_text(domain)));
  row("frames", fmt::format("{} at {} a second: {} s", scene.run.frames, short_text(scene.run.fps),
                            short_text((scene.run.frames - 1) / scene.run.fps)));
  row("fills", scene.gas ? names_text(scene.setting.gas_fills) : names_text(scene.setting.fills));
  row("sources", scene.has_particles() ? names_text(scene.setting.emitters)
                 : scene.gas           ? names_text(scene.setting.gas_sources)
                                       : names_text(scene.setting.sources));
  if (scene.has_particles())
    row("sinks", names_text(scene.setting.sinks));
  else
    row("inflows", names_text(scene.setting.inflows));
  row("obstacles", names_text(scene.setting.obstacles));
  row("forces", names_text(scene.setting.forces));
  if (scene.has_particles()) row("particles", "about " + count_text(double(cost.particles)));
  row("memory", memory_text(scene, cost));
  row("disk", disk_text(scene, cost));
  row("time", fmt::format("roughly {} on two cores, {} {} a frame", duration_text(cost.seconds),
                          short_text(std::round(10 * cost.substeps_per_frame) / 10),
                          cost.substeps_per_frame == 1 ? "substep" : "substeps"));
  return exit_code::done;
}

}  // namespace silt

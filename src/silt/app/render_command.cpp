#include <fmt/format.h>
#include <omp.h>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/frame_range.h"
#include "silt/app/run_film.h"
#include "silt/app/say.h"
#include "silt/cache/run_folder.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render.h"
#include "silt/scene.h"

namespace silt {
int render_command(const RenderOptions& options) {
  ignore_lost_readers();
  RunFolder folder = RunFolder::view(options.run);
  const FileLock lock = folder.lock_pictures();
  folder.refresh();
  Scene scene = parse_past_scene(folder.scene_text(), (folder.path() / "scene.toml").string());
  if (!options.size.empty()) {
    const auto size = parse_pair(options.size, 'x');
    if (!size) throw InputError(str("--size takes a size like 1280x720, not '", options.size, "'"));
    scene.picture.camera.width = size->first;
    scene.picture.camera.height = size->second;
  }
  const std::vector<int> frames = chosen_frames(folder, options.frames);

  const Exec exec{Device::cpu, options.threads};
  omp_set_num_threads(exec.threads());
  limit_volume_threads(exec.threads());
  for (const int number : frames) {
    const std::vector<std::uint8_t> png = encode_png(render_frame(folder.read_frame(number), scene.picture, exec));
    folder.write_file(RunFolder::picture_name(number), "picture", number,
                      {reinterpret_cast<const char*>(png.data()), png.size()});
  }
  put(fmt::format("{} picture{} in {}\n", frames.size(), frames.size() == 1 ? "" : "s",
                  (folder.path() / "pictures").native()));
  if (!options.no_film && !frames.empty()) {
    const RunFilm film = write_film(folder, scene.run.fps);
    put(fmt::format("film of {} picture{}, frames {} to {}: {}\n", film.pictures, film.pictures == 1 ? "" : "s",
                    film.first, film.last, (folder.path() / RunFolder::film_name()).native()));
  }
  return exit_code::done;
}

}  // namespace silt

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/run_film.h"
#include "silt/app/say.h"
#include "silt/cache/run_folder.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render.h"
#include "silt/scene.h"

namespace silt {
namespace {

struct IntPair {
  int first = 0, second = 0;
};

/// "3-40", "1280x720": two positive numbers with a letter between them.
std::optional<IntPair> parse_pair(std::string_view text, char between) {
  const auto number = [](std::string_view part) {
    int value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc() && end == part.data() + part.size() ? value : 0;
  };
  const auto at = text.find(between);
  if (at == std::string_view::npos) return {};
  const IntPair pair{number(text.substr(0, at)), number(text.substr(at + 1))};
  if (pair.first < 1 || pair.second < 1) return {};
  return pair;
}

std::vector<int> chosen_frames(const RunFolder& folder, const std::string& range) {
  std::vector<int> frames = folder.frames();
  if (frames.empty()) throw InputError(str(folder.path().string(), " has no volumes to make pictures of"));
  if (range.empty()) return frames;
  const auto pair = parse_pair(range.find('-') == std::string::npos ? range + '-' + range : range, '-');
  if (!pair || pair->first > pair->second) throw InputError(str("--frames takes a range like 1-48, not '", range, "'"));
  std::erase_if(frames, [&](int frame) { return frame < pair->first || frame > pair->second; });
  if (frames.empty()) throw InputError(str("the cache has no frame in ", range));
  return frames;
}

}  // namespace

int render_command(const RenderOptions& options) {
  ignore_lost_readers();
  RunFolder folder = RunFolder::view(options.run);
  const FileLock lock = folder.lock_pictures();
  folder.refresh();
  // A run that is still going on does not touch the frames again that it has finished.
  const bool running = folder.in_use_by() != 0;
  Scene scene = parse_past_scene(folder.scene_text(), (folder.path() / "scene.toml").string());
  if (!options.size.empty()) {
    const auto size = parse_pair(options.size, 'x');
    if (!size) throw InputError(str("--size takes a size like 1280x720, not '", options.size, "'"));
    scene.picture.camera.width = size->first;
    scene.picture.camera.height = size->second;
  }
  std::vector<int> frames = chosen_frames(folder, options.frames);
  if (running) std::erase_if(frames, [done = folder.status().frame](int frame) { return frame > done; });

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

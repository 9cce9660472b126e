#include <fmt/format.h>
#include <omp.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/frame_range.h"
#include "silt/app/past_run.h"
#include "silt/app/progress.h"
#include "silt/app/run_film.h"
#include "silt/app/say.h"
#include "silt/cache/run_folder.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render.h"
#include "silt/scene.h"

namespace silt {
namespace {

constexpr int most_pixels = 16384;  ///< of a side; [camera] takes no more either

/// "1,-2,0.5": where or whither.
std::optional<Vec3d> parse_place(std::string_view text) {
  Vec3d x;
  for (int a = 0; a < 3; ++a) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x[a]);
    if (error != std::errc() || !std::isfinite(x[a])) return {};
    text.remove_prefix(std::size_t(end - text.data()));
    if (a == 2) break;
    if (text.empty() || text.front() != ',') return {};
    text.remove_prefix(1);
  }
  return text.empty() ? std::optional(x) : std::nullopt;
}

void place_camera(const std::string& text, CameraParams& camera) {
  constexpr std::pair<std::string_view, Viewpoint> views[] = {
      {"corner", Viewpoint::corner}, {"front", Viewpoint::front}, {"side", Viewpoint::side}, {"top", Viewpoint::top}};
  for (const auto& [name, view] : views)
    if (text == name) {
      camera.view = view, camera.position.reset(), camera.target.reset();
      return;
    }
  const auto colon = text.find(':');
  const auto place = parse_place(std::string_view(text).substr(0, colon));
  const auto target = colon == std::string::npos ? std::nullopt : parse_place(std::string_view(text).substr(colon + 1));
  if (!place || (colon != std::string::npos && !target))
    throw InputError(
        str("--camera takes corner, front, side, top, a place like 1,-2,0.5, or a place and what it looks at like "
            "1,-2,0.5:0,0,0.2, not '",
            text, "'"));
  camera.position = place;
  if (target) camera.target = target;
}

/// What was asked for over what the scene says.
RenderParams chosen_params(const RenderOptions& options, RenderParams params) {
  if (!options.size.empty()) {
    const auto size = parse_pair(options.size, 'x');
    if (!size) throw InputError(str("--size takes a size like 1280x720, not '", options.size, "'"));
    if (std::max(size->first, size->second) > most_pixels)
      throw InputError(str("--size takes at most ", most_pixels, "x", most_pixels, " pixels, not ", options.size));
    params.camera.width = size->first;
    params.camera.height = size->second;
  }
  if (!options.camera.empty()) place_camera(options.camera, params.camera);
  if (options.quick || (options.sheet > 0 && options.samples == 0)) params.effort = Effort::quick();
  if (options.samples > 0) params.effort.samples = options.samples;
  params.effort.seed = options.seed;
  params.effort.denoise = !options.no_denoise;
  return params;
}

/// Writes a frame's picture, and beside it the OpenEXR file if there is to be one.
void write_pictures(RunFolder& folder, const Frame& frame, const RenderParams& params, bool exr, const Exec& exec,
                    const Progressing& progress) {
  Image image;
  if (exr && frame.domain.lattice.active.z) {
    const Exposure picture = expose_frame(frame, params, exec, progress);
    folder.write_file(RunFolder::exr_name(frame.number), "exr", frame.number, encode_exr(picture));
    image = develop(picture, params.look);
  } else {
    image = render_frame(frame, params, exec, progress);
  }
  const std::vector<std::uint8_t> png = encode_png(image);
  folder.write_file(RunFolder::picture_name(frame.number), "picture", frame.number,
                    {reinterpret_cast<const char*>(png.data()), png.size()});
}

/// A frame's parts; nothing, and a message, when a file of it is damaged: the others can still be drawn.
std::optional<Frame> read_or_say(const RunFolder& folder, int number, const std::string& advice, Progress& progress) {
  try {
    return folder.read_frame(number);
  } catch (const IoError& e) {
    progress.clear();
    say_error(str("frame ", number, ": ", e.what(), "\n  it has no new picture; to make it, ", advice));
    return {};
  }
}

/// One page of small pictures. Returns how many frames could not be read.
int write_sheet(RunFolder& folder, const std::vector<int>& frames, RenderParams params, const RenderOptions& options,
                const Exec& exec) {
  constexpr int width = 400, columns = 4;  // [pixels]
  if (options.size.empty()) params.camera.width = width, params.camera.height.reset();
  std::vector<SheetPicture> pictures;
  int lost = 0;
  Progress progress(0, int(frames.size()), Progress::style_for(false), 0);
  for (const int number : frames) {
    const std::optional<Frame> frame =
        read_or_say(folder, number, "get the file back or run the scene again", progress);
    pictures.push_back({frame ? render_frame(*frame, params, exec) : Image(),
                        frame ? fmt::format("{}: {}", number, time_text(frame->time, params.seconds_per_frame))
                              : fmt::format("{}", number)});
    lost += !frame;
    progress.substep(int(pictures.size()), 0);
  }
  progress.clear();
  const std::vector<std::uint8_t> png = encode_png(contact_sheet(pictures, std::min(columns, int(pictures.size()))));
  folder.write_file(RunFolder::sheet_name(), "sheet", frames.back(),
                    {reinterpret_cast<const char*>(png.data()), png.size()});
  put(fmt::format("{} frames on {}\n", pictures.size() - std::size_t(lost),
                  (folder.path() / RunFolder::sheet_name()).native()));
  return lost;
}

}  // namespace

int render_command(const RenderOptions& options) {
  ignore_lost_readers();
  PastRun run = open_past_run(options.run, /*film=*/!options.no_film && options.sheet == 0);
  RunFolder& folder = run.folder;
  const Scene& scene = run.scene;
  if (options.exr && !scene.setting.domain.lattice.active.z)
    throw InputError("--exr is for 3D runs: pictures of a plane are drawn, and have no light to keep; leave it out");
  const RenderParams params = chosen_params(options, scene.picture);
  const std::vector<int> frames = chosen_frames(folder, options.frames);

  const Exec exec{Device::cpu, options.threads};
  omp_set_num_threads(exec.threads());
  limit_volume_threads(exec.threads());
  if (options.sheet > 0)
    return write_sheet(folder, spread(frames, options.sheet), params, options, exec) == 0 ? exit_code::done
                                                                                          : exit_code::failed;
  Progress progress(0, int(frames.size()), Progress::style_for(false), 0);
  int done = 0, made = 0;
  for (const int number : frames) {
    if (const std::optional<Frame> frame =
            read_or_say(folder, number, remedy(folder, "render", number, number), progress)) {
      write_pictures(folder, *frame, params, options.exr, exec, [&](double share) { progress.substep(done, share); });
      ++made;
    }
    progress.substep(++done, 0);
  }
  progress.clear();
  put(fmt::format("{} picture{} in {}\n", made, made == 1 ? "" : "s", (folder.path() / "pictures").native()));
  if (!options.no_film && made > 0) {
    const RunFilm film = write_film(folder, scene.run.fps);
    put(fmt::format("film of {} picture{}, frames {} to {}: {}\n", film.pictures, film.pictures == 1 ? "" : "s",
                    film.first, film.last, (folder.path() / RunFolder::film_name()).native()));
    if (const std::string text = left_out_text(film); !text.empty()) say_warning(text);
  }
  return made == done ? exit_code::done : exit_code::failed;
}

}  // namespace silt

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <map>
#include <variant>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/out_folder.h"
#include "silt/app/past_run.h"
#include "silt/app/say.h"
#include "silt/cache/run_folder.h"
#include "silt/cache/run_totals.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render.h"
#include "silt/scene.h"
#include "silt/scene/diagnostics.h"
#include "silt/sim/builtin_scenes.h"
#include "silt/sim/people.h"

namespace fs = std::filesystem;

namespace silt {
namespace {

constexpr int picture_width = 960;                // [pixels]
constexpr std::uintmax_t most_bytes = 3'000'000;  // of all pictures: people clone the repository

/// The built-in scenes that were asked for; all when none was.
std::vector<BuiltinScene> chosen_scenes(const std::vector<std::string>& names) {
  const std::vector<BuiltinScene> all = builtin_scenes();
  if (names.empty()) return all;
  std::vector<BuiltinScene> out;
  std::vector<std::string> known;
  for (const BuiltinScene& scene : all) known.push_back(scene.name);
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    const std::string hint = did_you_mean(name, known);
    if (found == known.end())
      throw InputError(str("there is no built-in scene '", name, "'; ",
                           hint.empty() ? str('\'', program_name(), " scenes' lists them") : hint));
    out.push_back(all[std::size_t(found - known.begin())]);
  }
  return out;
}

int poster_frame(const Scene& scene, const std::vector<int>& frames) {
  const int wanted = scene.output.poster.value_or(1 + 2 * (scene.run.frames - 1) / 3);
  return *std::min_element(frames.begin(), frames.end(),
                           [&](int a, int b) { return std::abs(a - wanted) < std::abs(b - wanted); });
}

struct Exhibit {
  BuiltinScene scene;
  int frame = 0;
  RunTotals totals;
  int threads = 0;
};

/// Runs a scene, unless that is done, and makes its picture; the exit code of a run that was stopped or failed.
std::variant<Exhibit, int> make_exhibit(const BuiltinScene& builtin, const GalleryOptions& options) {
  RunOptions run;
  run.scene = builtin.name;
  run.out = (fs::path(options.runs) / builtin.name).string();
  run.resume = run.no_pictures = true;
  run.scale = options.scale;
  run.threads = options.threads;
  if (const int code = run_command(run); code != exit_code::done) return code;

  const RunFolder folder = RunFolder::view(run.out);
  const Scene scene = past_scene(folder);
  const std::vector<int> frames = folder.frames();
  if (frames.empty()) throw InputError(str(run.out, " has nothing to make a picture of"));
  Exhibit exhibit{builtin, poster_frame(scene, frames), totals_of(folder.path()), folder.status().threads};
  RenderParams params = scene.picture;
  params.camera.width = picture_width, params.camera.height.reset();
  params.effort = {};
  const Exec exec{Device::cpu, options.threads};
  omp_set_num_threads(exec.threads());
  write_jpeg(render_frame(folder.read_frame(exhibit.frame), params, exec),
             fs::path(options.out) / (builtin.name + ".jpg"));
  return exhibit;
}

/// Where a row of the page begins.
std::string row_begin(const std::string& name) {
  return fmt::format("| ![{0}]({0}.jpg) |", name);
}

std::string row_of(const Exhibit& e, double scale) {
  const RunTotals& t = e.totals;
  std::string row =
      fmt::format("{0} **[{1}](../../scenes/{1}.toml)**: {2}<br>frame {3} of {4}; {5} cells", row_begin(e.scene.name),
                  e.scene.name, e.scene.summary, e.frame, t.frames, count_text(double(t.cells)));
  if (t.particles > 0) row += fmt::format(", {} particles", count_text(double(t.particles)));
  if (scale != 1) row += fmt::format(", `--scale {}`", scale);
  return row + fmt::format("; {} for all frames on {} thread{} |", duration_text(t.seconds), e.threads,
                           e.threads == 1 ? "" : "s");
}

/// The page with these rows, and those of other scenes as they were, in the order in which scenes are listed.
std::string page_with(const std::map<std::string, std::string>& rows, const std::string& before) {
  std::string page =
      "# Gallery\n\nEvery picture is a frame of a shipped scene. This page and its pictures are made by `./silt "
      "gallery`.\n\n| | |\n| --- | --- |\n";
  for (const BuiltinScene& scene : builtin_scenes()) {
    if (const auto row = rows.find(scene.name); row != rows.end()) {
      page += row->second + "\n";
    } else if (const std::size_t from = before.find(row_begin(scene.name)); from != std::string::npos) {
      page += before.substr(from, before.find('\n', from) - from) + "\n";
    }
  }
  return page;
}

std::string text_of(const fs::path& file) {
  if (!fs::exists(file)) return {};
  const Bytes bytes = read_file(file);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

int gallery_command(const GalleryOptions& options) {
  const std::vector<BuiltinScene> scenes = chosen_scenes(options.scenes);
  prepare_folder(options.out);
  std::map<std::string, std::string> rows;  // of the page, by the name of the scene
  std::uintmax_t bytes = 0;
  bool failed = false;
  for (const BuiltinScene& scene : scenes) {
    put(fmt::format("{}\n", scene.name));
    try {
      std::variant<Exhibit, int> made = make_exhibit(scene, options);
      if (Exhibit* exhibit = std::get_if<Exhibit>(&made)) {
        rows[scene.name] = row_of(*exhibit, options.scale);
        bytes += fs::file_size(fs::path(options.out) / (scene.name + ".jpg"));
      } else {
        if (std::get<int>(made) == exit_code::stopped) return exit_code::stopped;
        failed = true;
      }
    } catch (const Error& e) {
      say_error(str(scene.name, ": ", e.what()));
      failed = true;
    }
  }
  const fs::path page = fs::path(options.out) / "README.md";
  if (!rows.empty()) write_atomically(page, page_with(rows, text_of(page)));
  put(fmt::format("{} picture{}: {}\n", rows.size(), rows.size() == 1 ? "" : "s", page.native()));
  if (bytes > most_bytes) say_warning(fmt::format("the pictures take {} bytes, more than {}", bytes, most_bytes));
  return failed ? exit_code::failed : exit_code::done;
}

}  // namespace silt

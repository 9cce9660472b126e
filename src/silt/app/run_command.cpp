#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <new>
#include <optional>

#include "silt/app/commands.h"
#include "silt/app/exit_code.h"
#include "silt/app/mending.h"
#include "silt/app/out_folder.h"
#include "silt/app/past_run.h"
#include "silt/app/room_for_run.h"
#include "silt/app/run_session.h"
#include "silt/app/say.h"
#include "silt/app/scene_files.h"
#include "silt/app/stop_signal.h"
#include "silt/cache/file_ops.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/scene/diagnostics.h"
#include "silt/sim/json_text.h"
#include "silt/sim/people.h"

namespace fs = std::filesystem;

namespace silt {
namespace {

/// Whether two scene files mean the same; the comment on top, with name and version, does not count.
bool same_scene(const std::string& a, const std::string& b) {
  return a == b || parse_past_scene(a, "scene").text == parse_past_scene(b, "scene").text;
}

/// A run.json that cannot be read says nothing, and the run writes a new one.
bool is_finished(const RunFolder& folder) {
  try {
    return folder.finished();
  } catch (const IoError& e) {
    say_warning(str(e.what(), "; the run counts as not finished"));
    return false;
  }
}

int already_finished(const RunFolder& folder, const RunStatus& status, const RunOptions& options) {
  if (options.json)
    put_raw(fmt::format("{}\n", JsonLine()
                                    .add("done", true)
                                    .add("status", "finished")
                                    .add("frame", status.frame)
                                    .add("frames", status.frames)
                                    .add("folder", std::string_view(folder.path().native()))
                                    .text()));
  else
    put(fmt::format("{} holds this scene, finished: {} frames. Nothing to do (--overwrite runs it again)\n",
                    folder.path().native(), status.frame));
  return exit_code::done;
}

/// What a run that says it is finished lacks; empty when its cache is whole. Reads all of it.
std::string harm_of_finished(const RunFolder& folder) {
  const int frames = folder.status().frame;
  const std::string damage = folder.damage(), more = damage.empty() ? "" : "\n  ";
  if (const std::string unproven = folder.unproven(frames); !unproven.empty()) return str(damage, more, unproven);
  std::vector<HarmedFile> files = folder.harmed_files(frames);
  std::erase_if(files, [](const HarmedFile& file) { return !file.of_run; });  // `silt surface` makes those
  return files.empty() ? damage : str(damage, more, harm_text(files));
}

/// What to do with a folder that holds a run already, when neither --resume nor --overwrite was given. InputError, or
/// the exit code when there is nothing to do.
int refuse_or_finish(const fs::path& out, const Scene& scene, const RunOptions& options) {
  const RunFolder folder = RunFolder::view(out);
  if (const long process = folder.in_use_by())
    throw InputError(str(out.string(), " is in use", process > 0 ? str(" by process ", process) : std::string()));
  if (!forbidden_changes(past_scene(folder), scene).empty())
    throw InputError(str(out.string(),
                         " holds the run of another scene: choose another folder with --out, or lose it with "
                         "--overwrite"));
  const bool finished = is_finished(folder);
  if (finished && same_scene(past_scene_text(folder), scene.text)) {
    if (const std::string harm = harm_of_finished(folder); !harm.empty())
      throw InputError(str(out.string(), " holds this scene, finished, and is no longer whole:\n  ", harm,
                           "\nmake it whole with\n  ", resume_line(options), "\nor begin anew with --overwrite"));
    return already_finished(folder, folder.status(), options);
  }
  throw InputError(
      str(out.string(),
          finished ? " holds this scene, finished with other settings" : " holds an unfinished run of this scene",
          ": go on with\n  ", resume_line(options), "\nor begin anew with --overwrite"));
}

SimulationOptions how_to_simulate(const RunOptions& options) {
  SimulationOptions how;
  how.device = options.device == "cuda" ? Device::cuda : Device::cpu;
  how.threads = options.threads;
  return how;
}

Simulation make_simulation(const Scene& scene, const RunOptions& options) {
  try {
    return Simulation{scene, how_to_simulate(options)};
  } catch (const std::bad_alloc&) {
    throw Error(str("out of memory: the scene has ", count_text(double(scene.cells())),
                    " cells; choose a larger domain.cell_size, or --scale 0.5"));
  }
}

void refuse_forbidden(const Scene& before, const Scene& scene, const fs::path& out) {
  const std::vector<std::string> names = forbidden_changes(before, scene);
  if (names.empty()) return;
  const bool files =
      std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.ends_with(".digest"); });
  throw InputError(str(list_names(names, "and"), " cannot change when a run is resumed, and the run in ", out.string(),
                       " had other values", files ? " (a digest: the shape's file is not what it was)" : "",
                       ": choose another folder with --out, or lose it with --overwrite"));
}

/// A folder that a run goes on in, and where. No folder when the user stopped it while it was mended.
struct Resumed {
  std::optional<RunFolder> folder;
  std::optional<FoundCheckpoint> found;
  bool whole = true;  ///< or it lacks files that cannot be made again
};

/// Opens the folder and makes it whole up to the last checkpoint.
Resumed open_and_mend(const fs::path& out, const Scene& scene, const Exec& exec, const RunOptions& options) {
  RunFolder folder = RunFolder::open(out);
  refuse_forbidden(past_scene(folder), scene, out);
  if (const std::string damage = folder.damage(); !damage.empty()) say_warning(damage);
  std::optional<FoundCheckpoint> found = folder.latest_checkpoint();
  if (!found) return {std::move(folder), {}, true};
  if (!found->warning.empty()) say_warning(found->warning);
  if (const std::string problem = folder.unproven(found->frame); !problem.empty()) throw InputError(problem);
  const std::vector<HarmedFile> harmed = folder.harmed_files(found->frame);
  if (harmed.empty()) return {std::move(folder), std::move(found), true};
  found.reset();  // as large as the simulation that makes them again
  const Mended mended = mend(folder, harmed, exec, how_to_simulate(options), options.json);
  if (mended.stopped) return {};
  found = folder.latest_checkpoint();
  return {std::move(folder), std::move(found), mended.whole};
}

/// Puts folder and simulation back to the last checkpoint.
void go_back(Resumed& run, const Scene& scene, Simulation& sim) {
  if (run.found) sim.restore(run.found->checkpoint);
  run.folder->cut_back(run.found ? &*run.found : nullptr);
  run.found.reset();  // as large as the simulation
  if (!same_scene(past_scene_text(*run.folder), scene.text) || !run.folder->manifest().find("scene.toml"))
    run.folder->write_file("scene.toml", "scene", 0, scene.text);
}

/// Whether a resumed run has nothing left to do; looked at before anything large is made.
std::optional<int> nothing_to_resume(const fs::path& out, const Scene& scene, const RunOptions& options) {
  const RunFolder folder = RunFolder::view(out);
  if (!is_finished(folder)) return {};
  refuse_forbidden(past_scene(folder), scene, out);
  const RunStatus status = folder.status();
  if (status.frame < scene.run.frames || !folder.manifest().is_written_down()) return {};
  if (!harm_of_finished(folder).empty()) return {};
  return already_finished(folder, status, options);
}

/// What a run that --overwrite removes takes now [bytes].
double bytes_of(const fs::path& out) {
  double sum = 0;
  try {
    for (const ManifestEntry& entry : RunFolder::view(out).manifest().entries()) sum += double(entry.stamp.size);
  } catch (const Error&) {  // it may be damaged, and goes all the same
  }
  return sum;
}

/// Of a run that goes on; one whose run.json cannot be read counts as not begun.
int frames_of(const fs::path& out) {
  try {
    return RunFolder::view(out).status().frame;
  } catch (const Error&) {
    return 0;
  }
}

/// Looked at before anything large is made. What the run will take, as a line for people.
std::string check_room(const Scene& scene, const fs::path& out, FolderState state, const RunOptions& options) {
  const bool goes_on = state == FolderState::run && options.resume;
  const RunNeeds needs = needs_of(scene, scene.output.pictures && !options.no_pictures, goes_on ? frames_of(out) : 0);
  const RunRoom room = room_for(out, state == FolderState::run && options.overwrite ? bytes_of(out) : 0);
  check_room(scene, needs, room, options.force);
  return room_text(needs, room);
}

void print_start(const Scene& scene, const RunFolder& folder, const Simulation& sim, const Exec& exec,
                 const std::string& room) {
  const Domain& domain = scene.setting.domain;
  const std::string grid = cells_text(domain.cells.size().as<double>(), domain.lattice.dims());
  const std::string threads = fmt::format("{} thread{}", exec.threads(), exec.threads() == 1 ? "" : "s");
  put(fmt::format("{}: {} cells, {} frames, {}, into {}\n", scene.name, grid, scene.run.frames,
                  exec.on_cpu() ? threads : "cuda", folder.path().native()));
  put(room + '\n');
  if (sim.frame_number() > 0 || sim.time() > 0)
    put(fmt::format("resuming after frame {}, t = {:.4g} s\n", sim.frame_number(), sim.time()));
}

/// Before the run folder was touched.
int stopped_early(const RunOptions& options) {
  if (options.json)
    put_raw(JsonLine().add("done", false).add("status", "stopped").add("frame", 0).text() + '\n');
  else
    put("stopped before the run folder was touched\n");
  return exit_code::stopped;
}

int run_to_end(const Scene& scene, RunFolder folder, Simulation sim, const Exec& exec, const RunOptions& options,
               const std::string& room) {
  if (!options.json) print_start(scene, folder, sim, exec, room);
  return RunSession{scene, std::move(folder), std::move(sim), exec, options}.run();
}

int stopped_while_mending(const RunOptions& options) {
  if (options.json)
    put_raw(JsonLine().add("done", false).add("status", "stopped").text() + '\n');
  else
    put(fmt::format("stopped before all was made again. To go on:\n  {}\n", resume_line(options)));
  return exit_code::stopped;
}

int run_scene(const RunOptions& options) {
  catch_stop_signals();
  const SceneFile file = choose_scene(options.scene);
  const Scene scene = load_scene_file(file, options.set, options.frames, options.scale);
  if (stop_requested()) return stopped_early(options);
  fs::path out = options.out;
  if (out.empty()) out = file.run_folder.empty() ? fs::path("out") / scene.name : file.run_folder;

  const FolderState state = folder_state(out);
  if (state == FolderState::foreign)
    throw InputError(str(out.string(), " exists and is not a run folder of silt: choose another with --out"));
  if (state == FolderState::run && !options.overwrite) {
    if (!options.resume) return refuse_or_finish(out, scene, options);
    if (const std::optional<int> code = nothing_to_resume(out, scene, options)) return *code;
  }
  const std::string room = check_room(scene, out, state, options);
  const Exec exec{options.device == "cuda" ? Device::cuda : Device::cpu, options.threads};
  omp_set_num_threads(exec.threads());
  limit_volume_threads(exec.threads());
  prepare_folder(out);
  if (state == FolderState::run && options.resume) {
    Resumed run = open_and_mend(out, scene, exec, options);
    if (!run.folder) return stopped_while_mending(options);
    Simulation sim = make_simulation(scene, options);
    if (stop_requested()) return stopped_early(options);
    go_back(run, scene, sim);
    const int code = run_to_end(scene, *std::move(run.folder), std::move(sim), exec, options, room);
    return code == exit_code::done && !run.whole ? int(exit_code::failed) : code;
  }
  Simulation sim = make_simulation(scene, options);
  if (stop_requested()) return stopped_early(options);  // before --overwrite takes anything away
  RunFolder folder = RunFolder::create(out, scene.text, starting_status(scene, exec), options.overwrite);
  return run_to_end(scene, std::move(folder), std::move(sim), exec, options, room);
}

}  // namespace

int run_command(const RunOptions& options) {
  ignore_lost_readers();
  try {
    return run_scene(options);
  } catch (const std::exception& e) {  // before the first frame; main says it to people
    if (options.json)
      put_raw(JsonLine().add("done", false).add("status", "refused").add("error", std::string_view(e.what())).text() +
              '\n');
    throw;
  }
}

}  // namespace silt

#include "silt/app/run_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <numbers>
#include <optional>
#include <thread>
#include <vector>

#include "silt/app/exit_code.h"
#include "silt/app/frame_files.h"
#include "silt/app/memory_watch.h"
#include "silt/app/run_film.h"
#include "silt/app/say.h"
#include "silt/app/stop_signal.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render.h"
#include "silt/render/camera.h"
#include "silt/render/look_scales.h"
#include "silt/sim/json_text.h"
#include "silt/sim/people.h"

namespace silt {
namespace {

RunLook look_of(const Scene& scene) {
  const LookParams& look = scene.picture.look;
  const Domain& domain = scene.setting.domain;
  return {.water = look.water_colour,
          .water_depth = water_depth_in(domain, look),
          .smoke = look.smoke_colour,
          .solid = look.solid_colour,
          .ground = look.ground_colour,
          .grain = look.grain_colour,
          .density_scale = density_scale_in(domain, look),
          .flame_scale = flame_scale_in(domain, look)};
}

RunView view_of(const Scene& scene) {
  const Domain& domain = scene.setting.domain;
  const Camera camera = make_camera(domain, scene.picture.camera);
  RunView view;
  view.fps = scene.run.fps;
  view.lower = domain.lower(), view.upper = domain.upper();
  view.flat = !domain.lattice.active.z;
  view.camera_position = camera.position, view.camera_forward = camera.forward, view.camera_up = camera.up;
  view.field_of_view = 2 * std::atan(camera.tan_y) * 180 / std::numbers::pi;
  view.width = camera.size.width, view.height = camera.size.height;
  view.look = look_of(scene);
  return view;
}

}  // namespace

RunStatus starting_status(const Scene& scene, const Exec& exec) {
  RunStatus status = RunStatus::of_this_process();
  status.scene_format = 1;
  status.device = exec.on_cpu() ? "cpu" : "cuda";
  status.threads = exec.threads();
  status.frames = scene.run.frames;
  status.view = view_of(scene);
  return status;
}

RunSession::RunSession(const Scene& scene, RunFolder folder, Simulation simulation, const Exec& exec,
                       const RunOptions& options)
    : scene_(scene),
      options_(options),
      folder_(std::move(folder)),
      sim_(std::move(simulation)),
      exec_(exec),
      progress_(sim_.frame_number(), scene.run.frames, Progress::style_for(options.json)),
      status_(starting_status(scene, exec)),
      checkpoint_is_current_(sim_.frame_number() > 0) {
  status_.frame = sim_.frame_number();
}

int RunSession::run() {
  try {
    set_phase(RunStatus::Phase::running);
    return run_frames();
  } catch (const DiskFullError& e) {
    return fail(e.what(), str("make room, then go on with\n  ", resume_line(options_)));
  } catch (const SubstepLimitError& e) {
    checkpoint_if_possible();
    return fail(e.what(), str("if nothing in the scene is faster than it should be, allow more of them:\n  ",
                              resume_with({{"run.max_substeps", str(more_substeps())}})));
  } catch (const SolveError& e) {
    checkpoint_if_possible();
    return fail(e.what(), str("smaller steps and more iterations may help:\n  ", gentler_line()));
  } catch (const std::bad_alloc&) {
    return fail_for_memory();
  } catch (const Error& e) {
    if (memory_ran_out()) return fail_for_memory();  // and a library called it something else
    return fail(e.what(), str("when that is mended, go on with\n  ", resume_line(options_)));
  }
}

int RunSession::run_frames() {
  sim_.on_substep([this](double fraction) {
    checkpoint_is_current_ = false;
    if (stop_requested()) sim_.cancel();
    progress_.substep(sim_.frame_number(), fraction);
  });
  if (stop_requested()) sim_.cancel();
  while (sim_.advance_frame()) {
    checkpoint_is_current_ = false;
    write_frame();
    checkpoint_when_due();
    if (stop_requested()) sim_.cancel();
  }
  tell_all_swallowed();
  if (sim_.cancelled()) return stop();
  if (!checkpoint_is_current_) checkpoint();
  if (wants_pictures() && scene_.output.film) make_film_of_pictures();
  return stop_requested() ? stop() : finish();
}

void RunSession::write_frame() {
  FrameStats stats = sim_.stats();
  Timer timer;
  const Frame frame = sim_.frame();
  stats.seconds["app.frame"] = timer.seconds();
  timer = {};
  write_parts(folder_, frame, scene_);
  stats.seconds["app.volumes"] = timer.seconds();
  if (scene_.output.surface && is_kept(frame.number, scene_)) {
    timer = {};
    write_surface(folder_, frame, scene_, exec_);
    stats.seconds["app.surface"] = timer.seconds();
  }
  timer = {};
  if (wants_pictures()) {
    write_picture(frame);
    stats.seconds["app.picture"] = timer.seconds();
  }
  for (const auto& [stage, seconds] : stats.seconds) seconds_[stage] += seconds;
  const std::string line = to_json(stats);
  folder_.add_stats(line);
  last_hash_ = stats.state_hash;
  warn_of_sealed_parts(stats);
  warn_of_swallowed(stats);
  warn_of_no_room(stats);
  warn_of_squeezed(stats);
  tell_of_left(stats);

  status_.frame = frame.number;
  status_.eta_seconds = progress_.eta(frame.number);
  set_phase(RunStatus::Phase::running);
  progress_.frame(stats);
  if (options_.json) put_raw(fmt::format("{}\n", line));
}

/// Fluid pressed into a part of the domain that it cannot leave has nowhere to go: said once a run, the rest is in the
/// stats.
void RunSession::warn_of_sealed_parts(const FrameStats& stats) {
  constexpr double noticeable = 1e-3;
  const auto pressure = stats.solves.find("pressure");
  if (scene_.has_particles()) return;  // see warn_of_squeezed
  if (warned_of_sealed_parts_ || pressure == stats.solves.end() || pressure->second.imbalance < noticeable) return;
  warned_of_sealed_parts_ = true;
  progress_.clear();
  say_warning(str(
      "frame ", stats.frame,
      ": an inflow, a moving obstacle or a fire presses fluid into a part of the domain that it cannot leave; there "
      "the flow is not free of divergence (give it an open side)"));
}

/// What lay between solids that closed is gone: said once a run, as soon as it is more than a stray particle, and how
/// much it was in all at its end.
void RunSession::warn_of_swallowed(const FrameStats& stats) {
  constexpr double noticeable = 1e-4;
  swallowed_ += stats.swallowed;
  const double part = double(swallowed_) / std::max(1.0, double(swallowed_ + stats.totals.particles));
  if (told_swallowed_ > 0 || part < noticeable) return;
  told_swallowed_ = swallowed_;
  progress_.clear();
  say_warning(
      fmt::format("frame {}, t = {} s: solids that close on one another, or on a wall, have swallowed {} "
                  "particle{} of {}, {} % of all: they left no room between them (let them stop two cells "
                  "before they touch; 'swallowed' in stats.jsonl counts on)",
                  stats.frame, short_text(stats.time), swallowed_, swallowed_ == 1 ? "" : "s", scene_.material(),
                  short_text(std::round(1e4 * part) / 100)));
}

/// A source in a closed room that is full: said once a run.
void RunSession::warn_of_no_room(const FrameStats& stats) {
  if (told_no_room_ || stats.refused == 0) return;
  told_no_room_ = true;
  progress_.clear();
  say_warning(
      fmt::format("frame {}, t = {} s: there is no room left for {}: its sources have stopped (walls and obstacles "
                  "close the room that they are in on all sides, and it is full; open a side or add a sink; 'refused' "
                  "in stats.jsonl counts what was not let out)",
                  stats.frame, short_text(stats.time), scene_.material()));
}

/// Solids that close in on what cannot be squeezed: said once a run.
void RunSession::warn_of_squeezed(const FrameStats& stats) {
  if (told_squeezed_ || stats.totals.squeezed == 0) return;
  told_squeezed_ = true;
  progress_.clear();
  say_warning(fmt::format(
      "frame {}, t = {} s: an obstacle presses {} into a room that it cannot leave, and that has become "
      "too small for {} of {} particles; it cannot be squeezed, so from here on it takes up less room than "
      "it should (leave it a way out, or stop the obstacle earlier; 'squeezed' in stats.jsonl counts on)",
      stats.frame, short_text(stats.time), scene_.material(), stats.totals.squeezed, stats.totals.particles));
}

/// What flows away through open sides: said once a run, when the first of it is out of reach.
void RunSession::tell_of_left(const FrameStats& stats) {
  if (told_left_ || stats.left == 0) return;
  told_left_ = true;
  progress_.clear();
  say_warning(
      fmt::format("frame {}, t = {} s: {} that has left through an open side is out of reach, and is no longer "
                  "followed ({}.reach says how far; 'left' in stats.jsonl counts particles)",
                  stats.frame, short_text(stats.time), scene_.material(), scene_.material()));
}

void RunSession::tell_all_swallowed() {
  if (told_swallowed_ == 0 || swallowed_ == told_swallowed_) return;
  progress_.clear();
  say_warning(fmt::format("solids have swallowed {} particles of {} in all", swallowed_, scene_.material()));
}

void RunSession::write_picture(const Frame& frame) {
  RenderParams params = scene_.picture;
  params.effort = Effort::quick();
  const std::vector<std::uint8_t> png = encode_png(render_frame(frame, params, exec_));
  folder_.write_file(RunFolder::picture_name(frame.number), "picture", frame.number,
                     {reinterpret_cast<const char*>(png.data()), png.size()});
}

void RunSession::checkpoint() {
  const Timer timer;
  CheckpointWriter writer;
  sim_.save(writer);
  folder_.add_checkpoint(writer, sim_.frame_number());
  since_checkpoint_ = {};
  checkpoint_is_current_ = true;
  seconds_["app.checkpoint"] += timer.seconds();
}

/// After a failure: the state is the last good one, and all frames before it are written.
void RunSession::checkpoint_if_possible() {
  try {
    checkpoint();
  } catch (const Error&) {  // one message is enough
  }
}

void RunSession::checkpoint_when_due() {
  if (since_checkpoint_.seconds() >= 60 * scene_.run.checkpoint_minutes) checkpoint();
}

/// Waits for who makes surfaces or single pictures beside the run. Nothing when that one makes the film as well, or a
/// stop was asked for.
std::optional<FileLock> RunSession::lock_for_film() {
  for (bool said = false; !stop_requested(); said = true) {
    try {
      return folder_.lock_pictures(/*film=*/true);
    } catch (const InputError& e) {
      const bool by_other = folder_.film_is_being_made();
      if (by_other || !said)
        progress_.clear(), say_warning(str(e.what(), by_other ? ", so the run leaves the film to it"
                                                              : ": the film is made when it has ended"));
      if (by_other) return {};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  return {};
}

/// A run without a film has still succeeded.
void RunSession::make_film_of_pictures() {
  const Timer timer;
  const std::optional<FileLock> lock = lock_for_film();
  if (!lock) return;
  try {
    const std::string left_out = left_out_text(write_film(folder_, scene_.run.fps));
    if (!left_out.empty()) progress_.clear(), say_warning(left_out);
  } catch (const IoError&) {  // of the folder; what ffmpeg cannot do is another kind
    throw;
  } catch (const Error& e) {
    if (!stop_requested()) progress_.clear(), say_warning(e.what());
    return;
  }
  seconds_["app.film"] += timer.seconds();
}

void RunSession::set_phase(RunStatus::Phase phase, const std::string& error) {
  status_.phase = phase;
  status_.last_error = error;
  folder_.set_status(status_);
}

int RunSession::more_substeps() const {
  return int(std::min(std::int64_t(1000000), 10 * std::int64_t(scene_.run.max_substeps)));
}

/// The line that resumes with these values over those of before.
std::string RunSession::resume_with(const std::vector<std::pair<std::string, std::string>>& values) const {
  RunOptions changed = options_;
  for (const auto& [name, value] : values) {
    std::erase_if(changed.set, [&](const std::string& s) { return s.starts_with(name + '='); });
    changed.set.push_back(str(name, '=', value));
  }
  return resume_line(changed);
}

/// Half the step and far more iterations: both may change on resume.
std::string RunSession::gentler_line() const {
  const int dims = scene_.setting.domain.lattice.dims();
  const std::string material = scene_.material();
  const double cfl = scene_.water  ? scene_.water->cfl
                     : scene_.sand ? scene_.sand->cfl
                     : scene_.gas  ? scene_.gas->cfl
                                   : scene_.smoke->cells_per_step(dims);
  const std::int64_t iterations = scene_.water  ? scene_.water->max_iterations
                                  : scene_.sand ? scene_.sand->max_iterations
                                  : scene_.gas  ? scene_.gas->max_iterations
                                                : scene_.smoke->max_iterations;
  return resume_with(
      {{material + ".cfl", short_text(std::max(0.1, cfl / 2))},
       {material + ".max_iterations", str(std::clamp(10 * iterations, std::int64_t(2000), std::int64_t(1000000)))}});
}

int RunSession::finish() {
  status_.eta_seconds = 0;
  set_phase(RunStatus::Phase::finished);
  progress_.clear();
  print_end("finished");
  return exit_code::done;
}

int RunSession::stop() {
  if (!checkpoint_is_current_) checkpoint();
  status_.eta_seconds = -1;
  set_phase(RunStatus::Phase::stopped);
  progress_.clear();
  if (options_.json)
    print_end("stopped");
  else
    put(fmt::format("stopped after frame {} of {}, t = {:.4g} s. To go on:\n  {}\n", sim_.frame_number(),
                    scene_.run.frames, sim_.time(), resume_line(options_)));
  return exit_code::stopped;
}

int RunSession::fail(const std::string& message, const std::string& advice) {
  try {
    set_phase(RunStatus::Phase::failed, message);
  } catch (const std::exception&) {  // the disk may be full; one message is enough
  }
  progress_.clear();
  if (options_.json) print_end("failed", message);
  say_error(str(message, '\n', advice));
  return exit_code::failed;
}

int RunSession::fail_for_memory() {
  return fail(str("out of memory: the scene has ", count_text(double(scene_.cells())), " cells"),
              str("close other programs, then go on with\n  ", resume_line(options_),
                  "\nor begin anew with a coarser grid, in another folder: --scale 0.5 --out DIR"));
}

void RunSession::print_end(std::string_view status, std::string_view error) const {
  if (options_.json) {
    JsonLine line;
    line.add("done", status == "finished")
        .add("status", status)
        .add("frame", sim_.frame_number())
        .add("frames", scene_.run.frames)
        .add("seconds", progress_.elapsed())
        .add("folder", std::string_view(folder_.path().native()))
        .add("state_hash", std::string_view(last_hash_));
    if (!error.empty()) line.add("error", error);
    put_raw(line.text() + '\n');
    return;
  }
  print_table();
  const auto where = [&](const char* what, const std::string& name) {
    if (std::error_code ignored; std::filesystem::exists(folder_.path() / name, ignored))
      put(fmt::format("{:<9} {}\n", what, (folder_.path() / name).native()));
  };
  put("\n");
  where("film", RunFolder::film_name());
  if (wants_pictures()) where("pictures", "pictures");
  where("volumes", "cache");
  where("numbers", "stats.jsonl");
}

void RunSession::print_table() const {
  const double total = progress_.elapsed();
  std::vector<std::pair<std::string, double>> rows(seconds_.begin(), seconds_.end());
  double named = 0;
  for (const auto& row : rows) named += row.second;
  rows.emplace_back("other", std::max(0.0, total - named));
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  put(fmt::format("\n{:<24} {:>10} {:>6}\n", "stage", "seconds", "%"));
  for (const auto& [stage, seconds] : rows)
    put(fmt::format("{:<24} {:>10.2f} {:>6.1f}\n", stage, seconds, 100 * seconds / std::max(total, 1e-9)));
  put(fmt::format("{:<24} {:>10.2f} {:>6}\n", "total", total, 100));
}

std::string resume_line(const RunOptions& o) {
  std::string line = shell_word(program_name()) + " run " + shell_word(o.scene);
  if (!o.out.empty()) line += " --out " + shell_word(o.out);
  if (o.frames > 0) line += str(" --frames ", o.frames);
  if (o.threads > 0) line += str(" --threads ", o.threads);
  if (o.device != "cpu") line += " --device " + o.device;
  if (o.scale != 1) line += str(" --scale ", exact_text(o.scale));
  for (const std::string& set : o.set) line += " --set " + shell_word(set);
  if (o.no_pictures) line += " --no-pictures";
  if (o.force) line += " --force";
  if (o.json) line += " --json";
  return line + " --resume";
}

}  // namespace silt

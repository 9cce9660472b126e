#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "silt/app/options.h"
#include "silt/app/progress.h"
#include "silt/cache/run_folder.h"
#include "silt/scene.h"
#include "silt/simulation.h"

namespace silt {

/// A simulation and the folder it writes to, in the order that a crash cannot hurt: a frame's volumes and picture, its
/// line of stats, run.json, and only then a checkpoint.
class RunSession {
 public:
  RunSession(const Scene& scene, RunFolder folder, Simulation simulation, const Exec& exec, const RunOptions& options);

  /// To the last frame and the film, or to where the user stops it; returns the exit code. Says once what went wrong;
  /// the folder can be resumed whatever happens.
  int run();

 private:
  int run_frames();
  void write_frame();
  void warn_of_sealed_parts(const FrameStats& stats);
  void warn_of_swallowed(const FrameStats& stats);
  void tell_all_swallowed();
  void warn_of_no_room(const FrameStats& stats);
  void warn_of_squeezed(const FrameStats& stats);
  void tell_of_left(const FrameStats& stats);
  void write_picture(const Frame& frame);
  void checkpoint();
  void checkpoint_if_possible();
  void checkpoint_when_due();
  std::optional<FileLock> lock_for_film();
  void make_film_of_pictures();
  void set_phase(RunStatus::Phase phase, const std::string& error = {});
  int finish();
  int stop();
  int fail(const std::string& message, const std::string& advice);
  int fail_for_memory();
  int more_substeps() const;
  std::string resume_with(const std::vector<std::pair<std::string, std::string>>& values) const;
  std::string gentler_line() const;
  void print_end(std::string_view status, std::string_view error = {}) const;
  void print_table() const;
  bool wants_pictures() const { return scene_.output.pictures && !options_.no_pictures; }

  const Scene& scene_;
  const RunOptions& options_;
  RunFolder folder_;
  Simulation sim_;
  Exec exec_;
  Progress progress_;
  RunStatus status_;
  Timer since_checkpoint_;
  bool checkpoint_is_current_;
  std::map<std::string, double> seconds_;  ///< by stage, of this session
  bool warned_of_sealed_parts_ = false;
  bool told_no_room_ = false, told_squeezed_ = false, told_left_ = false;
  std::int64_t swallowed_ = 0, told_swallowed_ = 0;  ///< particles, in this session
  std::string last_hash_;
};

/// The command that goes on with this run: what was typed, with --resume.
std::string resume_line(const RunOptions& options);

/// Status of a run of this process before its first frame.
RunStatus starting_status(const Scene& scene, const Exec& exec);

}  // namespace silt

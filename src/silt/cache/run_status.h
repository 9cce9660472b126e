#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "silt/core/vec.h"

namespace silt {

/// The colours of silt's own pictures, linear RGB, and the scales [1/m] that nothing but the scene tells; where it does
/// not, they follow from the domain's narrow side.
struct RunLook {
  Vec3d water;  ///< share of light left after a way of `water_depth` [m]
  double water_depth = 0;
  Vec3d smoke, solid, ground, grain;
  double density_scale = 0, flame_scale = 0;
  friend bool operator==(const RunLook&, const RunLook&) = default;
};

/// What a program that draws the run again needs and no frame tells: the pace, and camera and look of silt's own
/// pictures.
struct RunView {
  double fps = 24;
  Vec3d lower, upper;  ///< the domain [m]
  bool flat = false;   ///< in the plane of x and y: seen along z, without a camera
  Vec3d camera_position, camera_forward, camera_up;
  double field_of_view = 0;  ///< from the picture's bottom to its top [degrees]
  int width = 0, height = 0;
  std::optional<RunLook> look{};  ///< nothing where a silt wrote it that did not tell
  friend bool operator==(const RunView&, const RunView&) = default;
};
/// A JSON object.
std::string view_text(const RunView& view);

/// What run.json says: who runs where, how far it is, how it ended.
struct RunStatus {
  enum class Phase {
    running,
    finished,
    stopped,  ///< by the user; can be resumed
    failed,   ///< see last_error
  };

  std::string silt_version;
  int scene_format = 0, cache_format = 0, checkpoint_format = 0;
  std::string host, device;
  int threads = 0;
  long pid = 0;
  Phase phase = Phase::running;
  int frame = 0;            ///< last finished frame; 0 before the first
  int frames = 0;           ///< frames the run will have
  int checkpoint = -1;      ///< frame of the newest checkpoint when this was written; negative: none yet
  double eta_seconds = -1;  ///< negative: not known
  std::string last_error;
  std::optional<RunView> view;  ///< nothing in a run folder of a silt that did not write it

  /// Versions, host and process of the program that calls; the rest is the caller's.
  static RunStatus of_this_process();
};

std::string_view name_of(RunStatus::Phase phase);

/// The text of run.json and back. Text that is damaged gives an IoError that names `path`.
std::string run_status_text(const RunStatus& status);
RunStatus parse_run_status(std::string_view path, std::string_view text);

}  // namespace silt

#pragma once

/// A scene: what a scene file says, checked and with every default filled in. Immutable once loaded.
///
///   Scene scene = load_scene("plume.toml", {"smoke.cfl=1"});

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "silt/physics/common/setting.h"
#include "silt/physics/gas/params.h"
#include "silt/physics/liquid/params.h"
#include "silt/physics/sand/params.h"
#include "silt/physics/smoke/params.h"
#include "silt/render/params.h"
#include "silt/scene/table_info.h"
#include "silt/surface/params.h"

namespace silt {

/// The [run] block.
struct RunParams {
  int frames = 120;                ///< frame 1 is t = 0
  double fps = 24;                 ///< frames a second of simulated time
  int max_substeps = 1000;         ///< per frame; more is reported as instability
  double checkpoint_minutes = 10;  ///< wall time between checkpoints
  int seed = 0;
};

/// The [output] block: what the cache keeps.
struct OutputParams {
  std::vector<std::string> volumes;  ///< see volumes.h
  bool points = true;                ///< of materials that have particles
  bool half = true;                  ///< 16-bit floats
  int every = 1;                     ///< keep each n-th frame
  bool pictures = true;
  bool film = true;
  bool surface = false;         ///< meshes of materials that have particles
  std::optional<int> poster{};  ///< the frame that stands for the run, in the gallery; absent: two thirds through
};

/// Read-only after load_scene.
struct Scene {
  std::string name;  ///< of the file, without its ending: "smoke_plume"
  RunParams run;
  OutputParams output;
  Setting setting;
  std::optional<SmokeParams> smoke;  ///< the materials: absent where the scene has no such block
  std::optional<GasParams> gas;
  std::optional<LiquidParams> water;
  std::optional<SandParams> sand;
  SurfaceParams surface;
  RenderParams picture;
  std::string text;  ///< the scene as it runs, every default written out; reads back to the same scene
  std::vector<std::string> warnings;

  std::int64_t cells() const { return setting.domain.cells.count(); }
  std::string material() const { return water ? "water" : sand ? "sand" : gas ? "gas" : "smoke"; }
  /// Whether particles carry what is in it.
  bool has_particles() const { return water || sand; }
};

/// `scale` divides the cell size: 0.5 gives half the cells along each axis. Overrides are "block.name=value".
/// Throws SceneError with every problem of meaning in the file, each with its place.
Scene load_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides = {}, double scale = 1);
Scene parse_scene(const std::string& text, const std::string& name, const std::vector<std::string>& overrides = {},
                  double scale = 1);

/// The scene of a run folder, to be drawn or compared and not to run: the files that shapes come from need not be there
/// any more, and other shapes stand in for them.
Scene parse_past_scene(const std::string& text, const std::string& name);

/// What may change when a run goes on with `scene` where it ran `before`; the names of what may not, but did.
std::vector<std::string> forbidden_changes(const Scene& before, const Scene& now);

/// Every block and parameter a scene may have.
std::vector<TableInfo> scene_tables();

}  // namespace silt

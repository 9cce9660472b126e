#include "silt/sim/scene_checks.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "silt/core/text.h"
#include "silt/sim/people.h"
#include "silt/sim/volumes.h"

namespace silt {
namespace {

constexpr double long_run = 3600, endless_run = 1e6;  // [s] of simulated time
constexpr double cold = 150;                          // [K]: -123 degrees Celsius, colder than anybody means

void check_run(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const RunParams& run = blocks.run.values;
  if (!blocks.run.good) return;
  const double duration = run.frames / run.fps;
  const std::string message = str("the run lasts ", duration_text(duration), " of simulated time: ", run.frames,
                                  run.frames == 1 ? " frame" : " frames", " at ", short_text(run.fps), " a second");
  const Location& where = blocks.run.where(blocks.run.block.has("fps") ? "fps" : "frames");
  if (duration > endless_run) {
    diagnostics.error(where, message, "fps is frames a second, usually 24");
  } else if (duration > long_run) {
    diagnostics.warning(where, message, "fps is frames a second, usually 24");
  }
}

void check_output(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const OutputParams& output = blocks.output.values;
  const std::vector<std::string> known = volumes_of(blocks.material);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < output.volumes.size(); ++i) {
    const std::string& name = output.volumes[i];
    const Location& where = blocks.output.where(str("volumes.", i));
    if (!seen.insert(name).second) diagnostics.error(where, "'" + name + "' stands here twice");
    if (!blocks.material.empty() && std::find(known.begin(), known.end(), name) == known.end())
      diagnostics.error(where, "there is no '" + name + "' of " + blocks.material,
                        blocks.material + " has " + list_names(known, "and", '"'));
  }
  if (output.surface && (blocks.dims < 3 || (!blocks.material.empty() && !has_particles(blocks))))
    diagnostics.error(blocks.output.where("surface"), "there is no surface to make a mesh of",
                      blocks.dims < 3 ? "meshes are of 3D scenes" : blocks.material + " has no particles");
  if (blocks.run.good && blocks.output.good && output.every > blocks.run.values.frames && output.every > 1)
    diagnostics.warning(blocks.output.where("every"), str("only the first frame is kept: the run has ",
                                                          blocks.run.values.frames, " and keeps every ", output.every));
}

void check_camera(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const CameraParams& camera = blocks.camera.values;
  if (camera.position && camera.target && *camera.position == *camera.target)
    diagnostics.error(blocks.camera.where("target"), "the camera stands where it looks",
                      "position and target must be different places");
  if (camera.up && *camera.up == Vec3d{} && blocks.camera.good)
    diagnostics.error(blocks.camera.where("up"), "'up' has no direction: all its numbers are 0");
}

void check_look(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const LookParams& look = blocks.look.values;
  std::vector<std::string> known = volumes_of(blocks.material.empty() ? "smoke" : blocks.material);
  known.push_back(blocks.dims == 1 ? "all" : "vorticity");
  if (has_particles(blocks)) known.push_back("particles");
  const std::string needs = look.quantity == "vorticity" ? "velocity" : look.quantity;
  std::vector<std::string> kept = blocks.output.values.volumes;
  if (blocks.output.values.points) kept.push_back("particles");
  if (std::find(known.begin(), known.end(), look.quantity) == known.end()) {
    diagnostics.error(blocks.look.where("quantity"),
                      "'quantity' must be " + list_names(known, "or", '"') + ", not \"" + look.quantity + "\"",
                      did_you_mean(look.quantity, known));
  } else if (blocks.dims < 3 && !blocks.material.empty() && blocks.output.good && blocks.output.values.pictures &&
             look.quantity != "all" && std::find(kept.begin(), kept.end(), needs) == kept.end()) {
    diagnostics.warning(blocks.output.where("volumes"),
                        "the pictures show '" + look.quantity + "'" +
                            (needs == look.quantity ? ", which" : ", made of '" + needs + "', which") +
                            " is not kept, so they cannot be made again",
                        needs == "particles" ? "leave points = false out, or choose another quantity in [look]"
                                             : "add '" + needs + "' to volumes, or choose another quantity in [look]");
  }
  if (blocks.dims < 3 && !blocks.material.empty() && look.arrows && blocks.output.good &&
      std::find(kept.begin(), kept.end(), "velocity") == kept.end())
    diagnostics.warning(blocks.output.where("volumes"),
                        "the pictures have arrows of 'velocity', which is not kept, so they cannot be made again",
                        "add 'velocity' to volumes");
  const SmokeContents contents = contents_of(blocks);
  if (look.quantity == "colour" && !contents.colour)
    diagnostics.error(blocks.look.where("quantity"), "no source gives its smoke a colour to show");
  if ((look.quantity == "fuel" || look.quantity == "flame") && !contents.fuel)
    diagnostics.error(blocks.look.where("quantity"), "no source gives fuel to show");
  if (look.range_min && look.range_max && *look.range_min >= *look.range_max)
    diagnostics.error(blocks.look.where("range_max"),
                      "range_max must be above range_min, which is " + short_text(*look.range_min));
  if (look.sun_direction == Vec3d{} && blocks.look.good)
    diagnostics.error(blocks.look.where("sun_direction"), "'sun_direction' has no direction: all its numbers are 0");
}

void check_kelvin(const Location& where, const std::optional<Animated<double>>& temperature, double ambient,
                  Diagnostics& diagnostics) {
  if (!temperature) return;
  for (const auto& [time, value] : temperature->keys())
    if (value < cold && ambient >= cold) {
      diagnostics.warning(
          where,
          str("temperatures are in kelvin: ", short_text(value), " K is ", std::lround(value - 273.15),
              " degrees Celsius"),
          str("smoke rises when it is hotter than the air around, which has ", short_text(ambient), " K"));
      return;
    }
}

void check_temperatures(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const double ambient = blocks.smoke.values.ambient_temperature;
  if (blocks.smoke.good)
    check_kelvin(blocks.smoke.where("ambient_temperature"), Animated<double>(ambient), 293, diagnostics);
  for (const auto& source : blocks.sources)
    check_kelvin(source.where("temperature"), source.values.temperature, ambient, diagnostics);
  for (const auto& fill : blocks.fills)
    if (fill.values.temperature)
      check_kelvin(fill.where("temperature"), Animated<double>(*fill.values.temperature), ambient, diagnostics);
  for (const auto& inflow : blocks.inflows)
    check_kelvin(inflow.where("temperature"), inflow.values.temperature, ambient, diagnostics);
}

/// Finite differences are stable for short steps only.
void check_cfl(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const SmokeParams& smoke = blocks.smoke.values;
  const double limit = cfl_limit(smoke.advection_options(), blocks.dims);
  if (!blocks.smoke.good || !smoke.cfl || *smoke.cfl <= limit) return;
  diagnostics.error(blocks.smoke.where("cfl"),
                    str("advection \"", name_of(smoke.advection), "\" is stable up to cfl = ", short_text(limit),
                        " in ", blocks.dims, "D, and this is ", short_text(*smoke.cfl)),
                    "leave cfl out, or take \"maccormack\", which is stable for any step");
}

/// Numbers of advection that its scheme has no use for.
void warn_of_idle_smoke(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const ReadBlock<SmokeParams>& b = blocks.smoke;
  if (!b.good || blocks.material != "smoke") return;
  const Advection scheme = b.values.advection;
  const std::string named = str("advection \"", name_of(scheme), "\"");
  const bool differences = !std::isinf(cfl_limit(b.values.advection_options(), blocks.dims));
  if (differences && b.values.tracing != SmokeParams().tracing)
    diagnostics.warning(b.block.key_where("tracing"),
                        "tracing is for semi-Lagrangian schemes, and " + named + " is none",
                        "leave it out, or choose \"maccormack\", \"bfecc\", \"cubic\" or \"linear\"");
  if (scheme != Advection::maccormack && scheme != Advection::bfecc && b.values.clamp != SmokeParams().clamp)
    diagnostics.warning(b.block.key_where("clamp"), "clamp is for \"maccormack\" and \"bfecc\", and this is " + named,
                        "leave it out, or choose one of them");
}

/// Fluid without viscosity feels a surface it sticks to only in the cells beside it.
void check_slip(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  if (blocks.material != "smoke" && blocks.material != "water") return;
  if (!(blocks.material == "water" ? blocks.water.good : blocks.smoke.good)) return;
  if (blocks.material == "water" ? blocks.water.values.viscous() || blocks.water.values.rubs_walls()
                                 : blocks.smoke.values.viscous())
    return;
  const auto check = [&](const auto& b) {
    if (sticks(b.values) && b.good)
      diagnostics.warning(b.block.where(),
                          "fluid sticks to '" + b.block.path() + "', but has no viscosity to slow what is further away",
                          "give [" + blocks.material + "] a viscosity, or say slip = \"free\"");
  };
  for (const auto& b : blocks.obstacles) check(b);
  for (const auto& b : blocks.walls)
    if (int(b.values.side) / 2 < blocks.dims) check(b);
}

/// A belt moves fluid without making smoke.
bool any_wall_moves(const SceneBlocks& blocks) {
  for (const auto& b : blocks.walls)
    for (const auto& key : b.values.velocity.keys())
      if (length(key.second) > 0) return true;
  return false;
}

bool any_obstacle_moves(const SceneBlocks& blocks) {
  return std::any_of(blocks.obstacles.begin(), blocks.obstacles.end(),
                     [](const auto& b) { return !make_motion(b.values.motion, nullptr).still(); });
}

/// Fuel that nothing in the scene is hot enough to light.
void check_lit(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  if (!contents_of(blocks).fuel || !blocks.smoke.good || blocks.material != "smoke") return;
  const double needed = blocks.smoke.values.ignition_temperature;
  double hottest = blocks.smoke.values.ambient_temperature;
  const auto include = [&](const auto& put) {
    if (put.values.temperature)
      for (const auto& key : put.values.temperature->keys()) hottest = std::max(hottest, key.second);
  };
  for (const auto& source : blocks.sources) include(source);
  for (const auto& inflow : blocks.inflows) include(inflow);
  for (const auto& fill : blocks.fills) hottest = std::max(hottest, fill.values.temperature.value_or(0));
  if (hottest < needed)
    diagnostics.warning(blocks.smoke.block.where(),
                        str("nothing lights the fuel: it burns from ", short_text(needed),
                            " K on, and the hottest thing has ", short_text(hottest), " K"),
                        "give a source that temperature, or lower ignition_temperature");
}

}  // namespace

void check_values(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  check_run(blocks, diagnostics);
  check_output(blocks, diagnostics);
  check_camera(blocks, diagnostics);
  check_look(blocks, diagnostics);
  check_temperatures(blocks, diagnostics);
  check_fills(blocks, diagnostics);
  check_particles(blocks, diagnostics);
  check_sand(blocks, diagnostics);
  check_gas(blocks, diagnostics);
  check_lit(blocks, diagnostics);
  check_forces(blocks, diagnostics);
  check_slip(blocks, diagnostics);
  check_cfl(blocks, diagnostics);
  warn_of_idle_smoke(blocks, diagnostics);
}

void check_idle(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const bool none = blocks.sources.empty() && blocks.fills.empty();
  if (none && has_particles(blocks))
    diagnostics.warning((blocks.water.block ? blocks.water.block : blocks.sand.block).where(),
                        "there is no " + blocks.material + " in this scene",
                        "a [fill.NAME] is there from the start, and a [source.NAME] pours it");
  else if (none && blocks.inflows.empty() && !any_wall_moves(blocks) && blocks.material != "gas")
    diagnostics.warning(blocks.head.block.where(), "nothing makes smoke in this scene",
                        "a [source.NAME], an [inflow.NAME] or a [fill.NAME] does");
  else if (none && blocks.inflows.empty() && !any_wall_moves(blocks) && !any_obstacle_moves(blocks))
    diagnostics.warning(blocks.head.block.where(), "nothing moves the gas in this scene",
                        "a [source.NAME], an [inflow.NAME], a [fill.NAME] or an [obstacle.NAME] with a motion does");
  std::set<std::string> used;
  for (const auto& b : blocks.obstacles) used.insert(b.values.shape);
  for (const auto& b : blocks.sources) used.insert(b.values.shape);
  for (const auto& b : blocks.sinks) used.insert(b.values.shape);
  for (const auto& b : blocks.inflows) used.insert(b.values.shape.value_or(""));
  for (const auto& b : blocks.fills) used.insert(b.values.shape.value_or(""));
  for (const auto& b : blocks.forces) used.insert(b.values.shape.value_or(""));
  for (const auto& b : blocks.shapes) {
    if (const std::vector<std::string>* parts = b.values.parts()) used.insert(parts->begin(), parts->end());
    used.insert(b.values.copy.value_or(""));
  }
  for (const auto& shape : blocks.shapes)
    if (!used.count(shape.name()))
      diagnostics.warning(shape.block.where(), "nothing uses shape '" + shape.name() + "'",
                          "an [obstacle.NAME], [fill.NAME], [source.NAME], [sink.NAME], [inflow.NAME] or [force.NAME] "
                          "names the shape it has");
  std::set<std::string> grains;
  for (const auto& b : blocks.fills) grains.insert(b.values.grains.value_or(""));
  for (const auto& b : blocks.sources) grains.insert(b.values.grains.value_or(""));
  for (const auto& b : blocks.grains)
    if (!grains.count(b.name()))
      diagnostics.warning(b.block.where(), "nothing is made of grains '" + b.name() + "'",
                          "a [fill.NAME] or [source.NAME] says grains = \"" + b.name() + "\"");
}

}  // namespace silt

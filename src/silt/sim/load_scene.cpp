#include <cmath>
#include <limits>

#include "silt/core/text.h"
#include "silt/scene/toml_reader.h"
#include "silt/sim/builtin_scenes.h"
#include "silt/sim/read_scene.h"
#include "silt/sim/scene_blocks.h"
#include "silt/sim/scene_checks.h"
#include "silt/sim/scene_domain.h"
#include "silt/sim/scene_shapes.h"

namespace silt {
namespace {

constexpr double smallest_scale = 1e-3, largest_scale = 1e3;

/// What was left to be decided by something else in the scene.
void settle_temperatures(SceneBlocks& blocks) {
  if (blocks.gas.block)
    for (auto& inflow : blocks.inflows) {
      if (!inflow.values.temperature && blocks.gas.values.ideal())
        inflow.values.temperature = blocks.gas.values.ambient_temperature;
      if (!inflow.values.pressure) inflow.values.pressure = blocks.gas.values.ambient_pressure;
    }
  if (!blocks.smoke.block) return;
  const Animated<double> ambient = blocks.smoke.values.ambient_temperature;
  for (auto& source : blocks.sources)
    if (!source.values.temperature) source.values.temperature = ambient;
  for (auto& fill : blocks.fills)
    if (!fill.values.temperature) fill.values.temperature = blocks.smoke.values.ambient_temperature;
  for (auto& inflow : blocks.inflows)
    if (!inflow.values.temperature) inflow.values.temperature = ambient;
}

/// How fluid slides and sand rubs along surfaces, where they do not say.
void settle_surfaces(SceneBlocks& blocks) {
  const auto settle = [&](auto& values, Slip usual) {
    if (!blocks.sand.block)
      values.slip = values.slip.value_or(usual);
    else if (!values.slip)
      values.friction = values.friction.value_or(blocks.sand.values.wall_friction);
  };
  for (auto& b : blocks.obstacles) settle(b.values, Slip::free);
  for (auto& b : blocks.walls) settle(b.values, b.values.usual_slip());
}

/// Of an obstacle or a wall, settled: of sand that sticks, infinity.
template <class Params>
std::optional<double> friction_of(const SceneBlocks& blocks, const Params& values) {
  if (!blocks.sand.block) return std::nullopt;
  if (!values.slip) return values.friction;
  return values.slip == Slip::none ? std::numeric_limits<double>::infinity() : 0;
}

/// Of an obstacle or a wall, how hard water must pull before it lets go [Pa]: infinity where it holds, nothing where it
/// does as the water says.
template <class Params>
std::optional<double> suction_of(const SceneBlocks& blocks, const Params& values) {
  if (!blocks.water.block || (!values.pull && !values.suction)) return std::nullopt;
  const LiquidParams& water = blocks.water.values;
  if (values.pull.value_or(values.suction ? LiquidWalls::let_go : water.walls) == LiquidWalls::hold)
    return std::numeric_limits<double>::infinity();
  return values.suction.value_or(water.suction);
}

/// Which of the scene's other kinds; -1: the usual one.
int number_of_grains(const SceneBlocks& blocks, const std::optional<std::string>& name) {
  for (std::size_t i = 0; i < blocks.grains.size(); ++i)
    if (name && blocks.grains[i].name() == *name) return int(i);
  return -1;
}

SandParams make_sand(const SceneBlocks& blocks) {
  SandParams out = blocks.sand.values;
  for (const auto& b : blocks.grains) {
    out.others.push_back(b.values);
    out.others.back().name = b.name();
  }
  return out;
}

ForceField::Kind kind_of(const ForceParams& p) {
  if (p.uniform) return *p.uniform;
  if (p.point) return *p.point;
  if (p.vortex) return *p.vortex;
  if (p.drag) return *p.drag;
  return *p.turbulence;
}

/// The scene as it ran lies in its run folder, and finds its files from there.
void settle_paths(SceneBlocks& blocks) {
  for (auto& shape : blocks.shapes)
    if (ScenePath* file = shape.values.file())
      file->written = std::filesystem::absolute(file->resolved).lexically_normal().string();
}

/// Of a source of gas, which leaves fuel alone unless it has some.
std::optional<Animated<double>> held_fuel(const SourceParams& source) {
  for (const auto& key : source.fuel.keys())
    if (key.second > 0) return source.fuel;
  return std::nullopt;
}

/// Needs blocks without a mistake.
Setting make_setting(const SceneBlocks& blocks, const Domain& domain, const std::map<std::string, Shape>& shapes,
                     const Growth& growth) {
  Setting out;
  out.domain = domain;
  out.gravity = *blocks.domain.values.gravity;
  const auto motion_of = [&](const auto& b) {
    const std::optional<std::string> name = b.values.shape;
    const Shape::Bounds bounds = name ? shapes.at(*name).bounds() : Shape::Bounds{};
    return make_motion(b.values.motion, name ? &bounds : nullptr);
  };
  const auto solid = [&](const auto& b) {
    const Shape& shape = shapes.at(b.values.shape);
    const auto by = growth.find(b.name());
    return by == growth.end() ? shape : shape.grown(by->second);
  };
  for (const auto& b : blocks.obstacles)
    out.obstacles.push_back({b.name(), solid(b), motion_of(b), b.values.slip == Slip::none,
                             friction_of(blocks, b.values), suction_of(blocks, b.values)});
  for (const auto& b : blocks.sources)
    if (b.values.material == "gas")
      out.gas_sources.push_back({b.name(), shapes.at(b.values.shape), motion_of(b), b.values.temperature,
                                 b.values.velocity, b.values.power, b.values.smoke, b.values.enabled,
                                 held_fuel(b.values)});
    else if (b.values.material == "smoke")
      out.sources.push_back({b.name(), shapes.at(b.values.shape), motion_of(b), b.values.density, *b.values.temperature,
                             b.values.velocity, b.values.enabled, b.values.colour, b.values.fuel});
    else
      out.emitters.push_back({.name = b.name(),
                              .shape = shapes.at(b.values.shape),
                              .motion = motion_of(b),
                              .velocity = b.values.velocity.value_or(Vec3d{}),
                              .rate = b.values.rate,
                              .enabled = b.values.enabled,
                              .source = std::uint32_t(blocks.fills.size() + out.emitters.size()),
                              .colour = b.values.colour,
                              .grains = number_of_grains(blocks, b.values.grains)});
  for (const auto& b : blocks.sinks)
    out.sinks.push_back({b.name(), shapes.at(b.values.shape), motion_of(b), b.values.enabled});
  const auto maybe = [&](const std::optional<std::string>& name) {
    return name ? std::optional<Shape>(shapes.at(*name)) : std::nullopt;
  };
  for (const auto& b : blocks.fills)
    if (b.values.material == "gas")
      out.gas_fills.push_back({b.name(),
                               maybe(b.values.shape),
                               b.values.time,
                               {b.values.pressure, b.values.temperature, b.values.gas_density},
                               b.values.velocity,
                               b.values.vortices,
                               b.values.smoke,
                               b.values.fuel,
                               b.values.blur});
    else
      out.fills.push_back({b.name(), maybe(b.values.shape), b.values.density, b.values.temperature.value_or(0),
                           b.values.velocity, b.values.vortices, b.values.colour, b.values.fuel,
                           number_of_grains(blocks, b.values.grains), b.values.blur});
  for (const auto& b : blocks.inflows) {
    const int side = int(b.values.side);
    out.inflows.push_back({b.name(), side / 2, side % 2, maybe(b.values.shape), b.values.velocity, b.values.density,
                           b.values.temperature.value_or(0.0), b.values.enabled, b.values.colour, b.values.fuel,
                           b.values.pressure.value_or(0.0)});
  }
  for (const auto& b : blocks.forces)
    out.forces.push_back({b.name(), kind_of(b.values), maybe(b.values.shape), motion_of(b), b.values.enabled});
  out.seed = std::uint64_t(blocks.run.values.seed);
  out.smoke_colour = blocks.look.values.smoke_colour;
  for (const auto& b : blocks.walls) {
    const int side = int(b.values.side);
    out.walls.push_back({b.name(), side / 2, side % 2, b.values.slip == Slip::none, b.values.velocity,
                         friction_of(blocks, b.values), suction_of(blocks, b.values)});
  }
  return out;
}

/// "smoke_plume" of "scenes/smoke_plume.toml".
std::string scene_name(const std::string& file) {
  const std::filesystem::path path(file);
  return path.extension() == ".toml" ? path.stem().string() : path.filename().string();
}

Scene finish(Document document, const std::string& name, const std::vector<std::string>& overrides, double scale,
             Files files = Files::read) {
  if (!(scale >= smallest_scale && scale <= largest_scale))
    throw InputError(str("the scale must be between ", smallest_scale, " and ", largest_scale, ", not ", scale));
  for (const std::string& assignment : overrides) apply_override(document, assignment);
  return read_scene(document, name, scale, this_machine(), files);
}

}  // namespace

Scene read_scene(const Document& document, const std::string& name, double scale, const Machine& machine, Files files) {
  Diagnostics diagnostics;
  SceneBlocks blocks = read_blocks(document, diagnostics);
  const DomainParams asked = blocks.domain.values;
  check_values(blocks, diagnostics);
  const std::map<std::string, Shape> shapes = build_shapes(blocks, files, diagnostics);
  const std::optional<Domain> domain = make_domain(blocks, scale, machine, diagnostics);
  if (domain) check_shown_sound(blocks, *domain, diagnostics);
  Growth growth;
  if (domain && files == Files::read) growth = check_places(blocks, *domain, shapes, diagnostics);
  diagnostics.throw_if_errors();
  check_idle(blocks, diagnostics);
  settle_temperatures(blocks);
  settle_surfaces(blocks);
  settle_paths(blocks);

  Scene scene;
  scene.name = name;
  scene.run = blocks.run.values;
  scene.output = blocks.output.values;
  scene.setting = make_setting(blocks, *domain, shapes, growth);
  if (blocks.smoke.block) scene.smoke = blocks.smoke.values;
  if (blocks.gas.block) scene.gas = blocks.gas.values;
  if (blocks.water.block) scene.water = blocks.water.values;
  if (blocks.sand.block) scene.sand = make_sand(blocks);
  scene.surface = blocks.surface.values;
  scene.picture = {blocks.camera.values, blocks.look.values, 1 / scene.run.fps};
  scene.text = write_blocks(blocks, name);
  if (files == Files::read) check_memory(scene, blocks, asked, scale, machine, diagnostics);
  diagnostics.throw_if_errors();
  for (const Diagnostic& d : diagnostics.all()) scene.warnings.push_back(d.text());
  return scene;
}

Scene load_scene(const std::filesystem::path& file, const std::vector<std::string>& overrides, double scale) {
  require_scene_file(file);
  return finish(read_document(file), scene_name(file.string()), overrides, scale);
}

Scene parse_scene(const std::string& text, const std::string& name, const std::vector<std::string>& overrides,
                  double scale) {
  return finish(parse_document(text, name), scene_name(name), overrides, scale);
}

Scene parse_past_scene(const std::string& text, const std::string& name) {
  return finish(parse_document(text, name), scene_name(name), {}, 1, Files::leave);
}

std::vector<std::string> forbidden_changes(const Scene& before, const Scene& now) {
  const Document documents[] = {parse_document(before.text, before.name), parse_document(now.text, now.name)};
  Diagnostics diagnostics;
  return forbidden_changes(read_blocks(documents[0], diagnostics), read_blocks(documents[1], diagnostics));
}

}  // namespace silt

#include "silt/sim/scene_blocks.h"

#include <algorithm>

#include "silt/core/text.h"
#include "silt/physics/gas/params.h"
#include "silt/physics/liquid/params.h"
#include "silt/physics/sand/params.h"
#include "silt/physics/smoke/params.h"
#include "silt/render/tables.h"
#include "silt/scene/check_document.h"
#include "silt/scene/utf8.h"
#include "silt/sim/combinations.h"
#include "silt/sim/volumes.h"

namespace silt {
namespace {

constexpr std::size_t most_blocks = 20000;  // of a kind

template <class S>
ReadBlock<S> read_block(const Table<S>& table, const Block& block, Diagnostics& diagnostics, int dims,
                        const S& defaults = {}) {
  const std::size_t before = diagnostics.errors();
  S values = table.read(block, diagnostics, {.dims = dims}, defaults);
  return {block, std::move(values), diagnostics.errors() == before};
}

/// defaults(block): what stands in for what the block does not say.
template <class S, class Defaults>
std::vector<ReadBlock<S>> read_named(const Table<S>& table, const Document& document, Diagnostics& diagnostics,
                                     int dims, const Defaults& defaults) {
  std::vector<ReadBlock<S>> out;
  const std::vector<Block> blocks = document.named_blocks(table.name());
  if (blocks.size() > most_blocks) {
    diagnostics.error(
        blocks[most_blocks].where(),
        str("there are ", blocks.size(), " blocks [", table.name(), ".NAME], and the limit is ", most_blocks),
        "one mesh can hold many things");
    return out;
  }
  for (const Block& block : blocks) out.push_back(read_block(table, block, diagnostics, dims, defaults(block)));
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name() < b.name(); });
  return out;
}

template <class S>
std::vector<ReadBlock<S>> read_named(const Table<S>& table, const Document& document, Diagnostics& diagnostics,
                                     int dims) {
  return read_named(table, document, diagnostics, dims, [](const Block&) { return S{}; });
}

/// What the file itself says first: without the right version the rest may mean something else.
void check_version(const ReadBlock<HeadParams>& head, Diagnostics& diagnostics) {
  if (head.values.silt <= scene_format) return;
  diagnostics.error(head.where("silt"),
                    str("this scene is written in format ", head.values.silt,
                        ", and this silt (" SILT_VERSION ") reads format ", scene_format),
                    "it was made for a newer silt");
}

/// Its number of numbers is the number of dimensions; 0 when there is something wrong with it.
int count_dims(const Document& document) {
  const Block domain = document.block("domain");
  const Value* size = domain.find("size");
  const Values* numbers = size ? size->as<Values>() : nullptr;
  return numbers && !numbers->empty() && numbers->size() <= 3 ? int(numbers->size()) : 0;
}

/// Without it there is no need to say what it lacks.
ReadBlock<DomainParams> read_domain(const Document& document, Diagnostics& diagnostics, int dims) {
  const Block block = document.block("domain");
  if (block) return read_block(domain_table(), block, diagnostics, dims ? dims : 3);
  diagnostics.error(block.where(), "the scene has no [domain]",
                    "it says where things happen: [domain], size = [1, 1, 2], resolution = 64");
  return {block, {}, false};
}

std::string brackets(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "[" : i + 1 == names.size() ? " and [" : ", [") + names[i] + "]";
  return out;
}

/// The first material of the scene that has a solver; empty when there is none.
std::string first_material(const Document& document) {
  for (const Material& material : materials())
    if (material.has_solver && document.block(material.name)) return material.name;
  return {};
}

/// Whether the scene's materials can be solved together.
bool check_materials(const Document& document, Diagnostics& diagnostics) {
  const std::string choices = "scenes can have " + combinations_text();
  std::vector<std::string> present;
  std::vector<Block> blocks;
  bool solvable = true;
  for (const Material& material : materials())
    if (const Block block = document.block(material.name)) {
      present.push_back(material.name);
      blocks.push_back(block);
      if (!material.has_solver) {
        solvable = false;
        diagnostics.error(block.where(), "there is no solver for '" + material.name + "' yet", choices);
      }
    }
  std::vector<std::string> names;
  for (const Material& material : materials()) names.push_back(material.name);
  const Entries& all = document.block("").entries();
  const bool misspelt = std::any_of(all.begin(), all.end(), [&](const Entry& entry) {
    return entry.value.as<Entries>() && !closest_name(entry.key, names).empty();
  });
  if (present.empty() && misspelt) return false;  // which check_document says
  if (present.empty())
    diagnostics.error(document.block("").where(), "the scene has no material",
                      choices + ": an empty block will do, everything in it has a default");
  else if (solvable && !has_stepper(present))
    diagnostics.error(blocks.back().where(), "there is no solver for " + brackets(present) + " together", choices);
  return has_stepper(present);
}

/// The material of a source or a fill is one of the scene's own, if the scene has the right ones.
template <class S>
void check_materials_of(std::vector<ReadBlock<S>>& blocks, const Table<S>& table, const Document& document,
                        bool materials_good, Diagnostics& diagnostics) {
  for (ReadBlock<S>& block : blocks) {
    const std::size_t before = diagnostics.errors();
    const std::string& name = block.values.material;
    const Material* material = find_material(name);
    const Value* value = block.block.find("material");
    if (!value || !value->as<std::string>()) continue;
    if (material && document.block(name)) {
      check_belonging(block.block, table.info(), name, diagnostics);
      block.good = block.good && diagnostics.errors() == before;
      continue;
    }
    std::vector<std::string> names;
    for (const Material& known : materials())
      if (known.has_solver) names.push_back(known.name);
    if (material && !material->has_solver) {
      diagnostics.error(value->where, "there is no solver for '" + name + "' yet",
                        "scenes can have " + combinations_text());
    } else if (material) {
      if (!materials_good) continue;
      diagnostics.error(value->where, "the scene has no [" + name + "] for this " + table.name() + " to make",
                        "this scene is one of " + first_material(document));
    } else {
      const std::string hint = did_you_mean(name, names);
      diagnostics.error(value->where, "there is no material '" + name + "'",
                        hint.empty() ? "materials are " + list_names(names, "and") : hint);
    }
  }
}

template <class S>
std::string written(const Table<S>& table, const ReadBlock<S>& block, int dims) {
  const std::string heading = block.block.path();
  const std::string text = table.write(block.values, heading, dims);
  return text == "[" + heading + "]\n" ? std::string() : "\n" + text;
}

template <class S>
std::string written(const Table<S>& table, const std::vector<ReadBlock<S>>& blocks, int dims) {
  std::string out;
  for (const ReadBlock<S>& block : blocks) out += written(table, block, dims);
  return out;
}

/// Of a material: nothing where the scene has none of it.
template <class S>
std::string written_if_there(const Table<S>& table, const ReadBlock<S>& block, int dims) {
  return block.block ? "\n" + table.write(block.values, block.block.path(), dims) : std::string();
}

template <class S>
void compare(const Table<S>& table, const ReadBlock<S>& before, const ReadBlock<S>& now,
             std::vector<std::string>& out) {
  const std::string prefix = now.block.path().empty() ? "" : now.block.path() + '.';
  for (const ParameterChange& change : table.changes(before.values, now.values))
    if (!change.resumable) out.push_back(prefix + change.name);
}

/// Of named blocks, sorted by name, one that is gone or new counts as a whole.
template <class S>
void compare(const Table<S>& table, const std::vector<ReadBlock<S>>& before, const std::vector<ReadBlock<S>>& now,
             std::vector<std::string>& out) {
  const auto find = [](const auto& all, const std::string& name) {
    const auto at = std::lower_bound(all.begin(), all.end(), name, [](const auto& block, const std::string& wanted) {
      return block.name() < wanted;
    });
    return at != all.end() && at->name() == name ? at : all.end();
  };
  for (const ReadBlock<S>& block : before)
    if (find(now, block.name()) == now.end()) out.push_back(block.block.path());
  for (const ReadBlock<S>& block : now) {
    const auto at = find(before, block.name());
    if (at == before.end()) {
      out.push_back(block.block.path());
    } else {
      compare(table, *at, block, out);
    }
  }
}

}  // namespace

SmokeContents contents_of(const SceneBlocks& blocks) {
  SmokeContents out;
  const auto include = [&](const auto& put) {
    out.colour = out.colour || put.values.colour;
    for (const auto& key : put.values.fuel.keys()) out.fuel = out.fuel || key.second > 0;
  };
  for (const auto& source : blocks.sources) include(source);
  for (const auto& inflow : blocks.inflows) include(inflow);
  for (const auto& fill : blocks.fills) {
    out.colour = out.colour || fill.values.colour;
    out.fuel = out.fuel || fill.values.fuel > 0;
  }
  return out;
}

SceneBlocks read_blocks(const Document& document, Diagnostics& diagnostics) {
  const std::string material = first_material(document);
  const int counted = count_dims(document);
  // Where a material has no such thing as 1D its size is wrong, and not all the scene's other vectors.
  const int dims = counted == 1 && (material == "water" || material == "sand") ? 0 : counted;
  const OutputParams usual_output{.volumes = usual_volumes(material)};
  LookParams usual_look;
  usual_look.quantity = dims == 1 ? "all" : usual_quantity(material);
  const Block water = document.block("water"), sand = document.block("sand");
  SandParams usual_sand;
  usual_sand.grains = grain_preset(sand);
  const ReadBlock<SandParams> sand_read = read_block(sand_table(), sand, diagnostics, dims, usual_sand);
  const auto as_in_sand = [&](const Block& block) { return grain_preset(block, sand_read.values.grains); };
  SceneBlocks out{
      .dims = counted ? counted : 3,
      .material = material,
      .head = read_block(head_table(), document.block(""), diagnostics, dims),
      .run = read_block(run_table(), document.block("run"), diagnostics, dims),
      .domain = read_domain(document, diagnostics, counted),
      .smoke = read_block(smoke_table(), document.block("smoke"), diagnostics, dims),
      .gas = read_block(gas_table(), document.block("gas"), diagnostics, dims),
      .water = read_block(liquid_table(), water, diagnostics, dims, liquid_preset(water)),
      .sand = sand_read,
      .grains = read_named(grains_table(), document, diagnostics, dims, as_in_sand),
      .shapes = read_named(shape_table(), document, diagnostics, dims),
      .obstacles = read_named(obstacle_table(), document, diagnostics, dims),
      .fills = read_named(fill_table(), document, diagnostics, dims),
      .sources = read_named(source_table(), document, diagnostics, dims),
      .sinks = read_named(sink_table(), document, diagnostics, dims),
      .inflows = read_named(inflow_table(), document, diagnostics, dims),
      .forces = read_named(force_table(), document, diagnostics, dims),
      .walls = read_named(wall_table(), document, diagnostics, dims),
      .output = read_block(output_table(), document.block("output"), diagnostics, dims, usual_output),
      .surface = read_block(surface_table(), document.block("surface"), diagnostics, dims),
      .camera = read_block(camera_table(), document.block("camera"), diagnostics, 3),        // cameras stand in space
      .look = read_block(look_table(), document.block("look"), diagnostics, 3, usual_look),  // so do colours' parts
  };
  check_version(out.head, diagnostics);
  std::vector<TableInfo> tables = scene_tables();
  for (const Material& other : materials())
    if (!other.has_solver) tables.push_back({.name = other.name, .help = {}, .parameters = {}, .rules = {}});
  check_document(document, tables, diagnostics);
  const bool materials_good = check_materials(document, diagnostics);
  check_materials_of(out.sources, source_table(), document, materials_good, diagnostics);
  check_materials_of(out.fills, fill_table(), document, materials_good, diagnostics);
  return out;
}

std::string write_blocks(const SceneBlocks& blocks, const std::string& name) {
  const int dims = blocks.dims;
  return "# " + printable(name) + ", as silt " SILT_VERSION " runs it: every default is written out.\n" +
         head_table().write(blocks.head.values, "") + written(run_table(), blocks.run, dims) +
         written(domain_table(), blocks.domain, dims) + written_if_there(smoke_table(), blocks.smoke, dims) +
         written_if_there(gas_table(), blocks.gas, dims) + written_if_there(liquid_table(), blocks.water, dims) +
         written_if_there(sand_table(), blocks.sand, dims) + written(grains_table(), blocks.grains, dims) +
         written(shape_table(), blocks.shapes, dims) + written(obstacle_table(), blocks.obstacles, dims) +
         written(fill_table(), blocks.fills, dims) + written(source_table(), blocks.sources, dims) +
         written(sink_table(), blocks.sinks, dims) + written(inflow_table(), blocks.inflows, dims) +
         written(wall_table(), blocks.walls, dims) + written(force_table(), blocks.forces, dims) +
         written(output_table(), blocks.output, dims) + written(surface_table(), blocks.surface, dims) +
         written(camera_table(), blocks.camera, 3) + written(look_table(), blocks.look, 3);
}

std::vector<std::string> forbidden_changes(const SceneBlocks& before, const SceneBlocks& now) {
  std::vector<std::string> out;
  compare(run_table(), before.run, now.run, out);
  compare(domain_table(), before.domain, now.domain, out);
  if (before.material != now.material) out.push_back(now.material);
  compare(smoke_table(), before.smoke, now.smoke, out);
  compare(gas_table(), before.gas, now.gas, out);
  compare(liquid_table(), before.water, now.water, out);
  compare(sand_table(), before.sand, now.sand, out);
  compare(grains_table(), before.grains, now.grains, out);
  compare(shape_table(), before.shapes, now.shapes, out);
  compare(obstacle_table(), before.obstacles, now.obstacles, out);
  compare(fill_table(), before.fills, now.fills, out);
  compare(source_table(), before.sources, now.sources, out);
  compare(sink_table(), before.sinks, now.sinks, out);
  compare(inflow_table(), before.inflows, now.inflows, out);
  compare(force_table(), before.forces, now.forces, out);
  compare(wall_table(), before.walls, now.walls, out);
  compare(output_table(), before.output, now.output, out);
  compare(surface_table(), before.surface, now.surface, out);
  compare(camera_table(), before.camera, now.camera, out);
  compare(look_table(), before.look, now.look, out);
  return out;
}

}  // namespace silt

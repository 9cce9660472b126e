#pragma once

/// A scene file as its tables read it, before anything is concluded from it. Blocks point into the document, which must
/// outlive this; `good` says that a block had no mistake of its own, so that conclusions from it are worth reporting.

#include <string>
#include <vector>

#include "silt/physics/smoke/contents.h"
#include "silt/scene/diagnostics.h"
#include "silt/scene/document.h"
#include "silt/sim/scene_tables.h"

namespace silt {

template <class S>
struct ReadBlock {
  Block block;
  S values;
  bool good = true;

  const std::string& name() const { return block.name(); }
  const Location& where(std::string_view parameter) const { return block.where(parameter); }
};

struct SceneBlocks {
  int dims = 3;          ///< as many as domain.size has numbers
  std::string material;  ///< the first that the scene has: "smoke"; empty when it has none that can be solved
  ReadBlock<HeadParams> head;
  ReadBlock<RunParams> run;
  ReadBlock<DomainParams> domain;
  ReadBlock<SmokeParams> smoke;  ///< its block is absent when the scene has no smoke
  ReadBlock<GasParams> gas;
  ReadBlock<LiquidParams> water;
  ReadBlock<SandParams> sand;
  std::vector<ReadBlock<Grains>> grains;       ///< by name, as those that follow
  std::vector<ReadBlock<ShapeParams>> shapes;  ///< these by name: the order of a file never matters
  std::vector<ReadBlock<ObstacleParams>> obstacles;
  std::vector<ReadBlock<FillParams>> fills;
  std::vector<ReadBlock<SourceParams>> sources;
  std::vector<ReadBlock<SinkParams>> sinks;
  std::vector<ReadBlock<InflowParams>> inflows;
  std::vector<ReadBlock<ForceParams>> forces;
  std::vector<ReadBlock<WallParams>> walls;
  ReadBlock<OutputParams> output;
  ReadBlock<SurfaceParams> surface;
  ReadBlock<CameraParams> camera;
  ReadBlock<LookParams> look;
};

/// Whether particles carry the scene's material.
inline bool has_particles(const SceneBlocks& blocks) {
  return blocks.material == "water" || blocks.material == "sand";
}
/// What the scene's smoke carries.
SmokeContents contents_of(const SceneBlocks& blocks);

/// Reads every block by its table, and checks the names of blocks, the materials and what refers to other blocks.
SceneBlocks read_blocks(const Document& document, Diagnostics& diagnostics);

/// The scene as text, every parameter written out: reads back to the same blocks.
std::string write_blocks(const SceneBlocks& blocks, const std::string& name);

/// The names of parameters that differ and must not, in a run that goes on: "smoke.buoyancy", "source.vent".
std::vector<std::string> forbidden_changes(const SceneBlocks& before, const SceneBlocks& now);

}  // namespace silt

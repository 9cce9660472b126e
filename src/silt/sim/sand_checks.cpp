#include "silt/core/text.h"
#include "silt/sim/people.h"
#include "silt/sim/scene_checks.h"

namespace silt {
namespace {

/// Whatever its yield surface does not hold, tension cannot.
void check_tension(const ReadBlock<Grains>& b, const Grains& grains, Diagnostics& diagnostics) {
  constexpr double rounding = 1 + 1e-6;
  if (!b.good || grains.tensile_strength() <= rounding * grains.apex()) return;
  diagnostics.error(b.where("tension"),
                    "sand of " + short_text(grains.cohesion) + " Pa and " + short_text(grains.friction_angle) +
                        " degrees holds a pull of at most " + short_text(grains.apex()) + " Pa, and tension is " +
                        short_text(*grains.tension),
                    "leave tension out, and it is that; or raise the cohesion");
}

/// The rigid-plastic model knows shear alone.
void refuse_tension(const Block& block, Diagnostics& diagnostics) {
  if (block.has("tension"))
    diagnostics.error(block.key_where("tension"),
                      "'tension' is for the model \"constrained\", and this sand is of \"rigid_plastic\"",
                      "leave it out, or choose the other model; cohesion holds shear in both");
}

/// Pairs pull with a part of the cohesion: of none there is no part.
void warn_of_idle_pairs(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  bool clings = blocks.sand.values.grains.cohesion > 0;
  for (const auto& b : blocks.grains) clings = clings || b.values.cohesion > 0;
  if (blocks.sand.values.pair_cohesion > 0 && !clings)
    diagnostics.warning(blocks.sand.block.key_where("pair_cohesion"),
                        "pair_cohesion is a part of the cohesion, and no sand here has any",
                        "give [sand] a cohesion, or leave pair_cohesion out");
}

/// It has a yield surface of its own.
void refuse_box(const SandParams& sand, const Block& block, Diagnostics& diagnostics) {
  if (sand.yield == SandYield::box)
    diagnostics.error(block.key_where("yield"),
                      "yield = \"box\" is for the model \"constrained\", and this sand is of \"rigid_plastic\"",
                      "leave it out, or choose the other model");
}

/// Nor does it keep its stresses.
void refuse_bearing(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const std::vector<std::string>& volumes = blocks.output.values.volumes;
  for (std::size_t i = 0; i < volumes.size(); ++i)
    if (volumes[i] == "bearing")
      diagnostics.error(blocks.output.where(str("volumes.", i)),
                        "'bearing' is for the model \"constrained\", and this sand is of \"rigid_plastic\"",
                        "'pressure' is there in both");
}

void check_constrained(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  check_tension({blocks.sand.block, {}, blocks.sand.good}, blocks.sand.values.grains, diagnostics);
  for (const auto& b : blocks.grains)  // what they say of it themselves: the rest is [sand]'s, and said there
    if (b.block.has("tension") || b.block.has("cohesion") || b.block.has("friction_angle") || b.block.has("preset"))
      check_tension(b, b.values, diagnostics);
}

void check_rigid_plastic(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  refuse_bearing(blocks, diagnostics);
  refuse_tension(blocks.sand.block, diagnostics);
  refuse_box(blocks.sand.values, blocks.sand.block, diagnostics);
  for (const auto& b : blocks.grains) refuse_tension(b.block, diagnostics);
}

}  // namespace

void check_sand(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  if (blocks.material == "sand") {
    warn_of_idle_pairs(blocks, diagnostics);
    return blocks.sand.values.model == SandModel::rigid_plastic ? check_rigid_plastic(blocks, diagnostics)
                                                                : check_constrained(blocks, diagnostics);
  }
  if (blocks.material.empty()) return;
  for (const auto& b : blocks.grains)
    diagnostics.error(b.block.where(), "only sand has grains, and this scene is one of " + blocks.material);
  const auto refuse_friction = [&](const auto& b) {
    if (b.block.has("friction"))
      diagnostics.error(b.block.key_where("friction"),
                        "'friction' is for sand, and this scene is one of " + blocks.material,
                        "slip = \"none\" makes fluid stick to '" + b.block.path() + "'");
  };
  for (const auto& b : blocks.obstacles) refuse_friction(b);
  for (const auto& b : blocks.walls) refuse_friction(b);
}

}  // namespace silt

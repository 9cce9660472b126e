#include "silt/core/text.h"
#include "silt/sim/scene_checks.h"

namespace silt {
namespace {

bool nothing_but_zero(const std::optional<Animated<Vec3d>>& velocity) {
  if (velocity)
    for (const auto& key : velocity->keys())
      if (length(key.second) > 0) return false;
  return true;
}

/// A source that carries nothing away makes up for nothing.
void check_pours(const ReadBlock<SourceParams>& b, const std::string& material, Diagnostics& diagnostics) {
  const MotionParams& motion = b.values.motion;
  const bool still =
      motion.position.constant() && motion.rotation.constant() && motion.spin.constant() && motion.spin(0) == 0;
  if (!b.good || !still || b.values.rate || !nothing_but_zero(b.values.velocity)) return;
  diagnostics.warning(
      b.block.where(),
      "'" + b.block.path() + "' fills its shape once, and then gives nothing: its " + material + " has no velocity",
      "give it a velocity, or a rate; a [fill.NAME] is there from the start");
}

/// What is said of particles and changes nothing; `b` is the block of water or sand.
template <class Params>
void warn_of_idle_numbers(const ReadBlock<Params>& b, const SceneBlocks& blocks, Diagnostics& diagnostics) {
  if (!b.good || !blocks.domain.good) return;
  if (b.values.transfer != Transfer::blend && b.values.flip_part != Params().flip_part)
    diagnostics.warning(b.block.key_where("flip_part"), "flip_part is for transfer = \"blend\", and this is another",
                        "leave it out, or choose that transfer");
  bool open = false;
  for (int a = 0; a < blocks.dims; ++a)
    for (int end = 0; end < 2; ++end) open = open || blocks.domain.values.sides.at(a, end) == Side::open;
  if (b.values.reach && !open)
    diagnostics.warning(b.block.key_where("reach"),
                        "reach is how far " + blocks.material + " is followed beyond open sides, and there are none",
                        "leave it out, or open a side in [domain]: sides = { x_max = \"open\" }");
}

/// Holding and letting go belong to water, and what holds needs no number.
template <class S>
void check_pull(const std::string& material, const ReadBlock<S>& b, Diagnostics& diagnostics) {
  for (const char* name : {"pull", "suction"})
    if (b.block.has(name) && material != "water" && !material.empty())
      diagnostics.error(b.block.key_where(name), str("'", name, "' is for water, and this scene is one of ", material));
  if (b.values.pull == LiquidWalls::hold && b.values.suction)
    diagnostics.error(b.block.key_where("suction"),
                      "'" + b.block.path() + "' holds whatever pulls, and suction is how hard it must",
                      "leave one of them out");
}

/// Grains whose size is said, and whose friction does not depend on it.
void warn_of_idle_size(const Block& block, const Grains& grains, Diagnostics& diagnostics) {
  if (block.find("grain_size") && grains.friction_rise == 0)
    diagnostics.warning(block.key_where("grain_size"),
                        "grain_size counts where friction rises with the rate of shear, and friction_rise is 0",
                        "leave it out, or let friction rise: friction_rise = 0.26");
}

}  // namespace

void check_particles(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const std::string& material = blocks.material;
  for (const auto& b : blocks.obstacles) check_pull(material, b, diagnostics);
  for (const auto& b : blocks.walls) check_pull(material, b, diagnostics);
  if (material == "smoke" || material == "gas")
    for (const auto& b : blocks.sinks)
      diagnostics.error(b.block.where(), "only water and sand vanish in a sink, and this scene has none",
                        "an open side lets smoke out; dissipation in [smoke] makes it fade");
  if (!has_particles(blocks)) return;
  if (blocks.dims == 1 && blocks.domain.good)
    return diagnostics.error(blocks.domain.where("size"), material + " is not simulated in 1D",
                             "give size two numbers or three: size = [1, 1]");
  for (const auto& b : blocks.inflows)
    diagnostics.error(b.block.where(), "an inflow blows air, and this scene has only " + material,
                      "a [source.NAME] with a shape, material = \"" + material + "\" and a velocity is a jet");
  for (const auto& b : blocks.sources) check_pours(b, material, diagnostics);
  if (material == "water") warn_of_idle_numbers(blocks.water, blocks, diagnostics);
  if (material != "sand") return;
  warn_of_idle_numbers(blocks.sand, blocks, diagnostics);
  if (blocks.sand.good) warn_of_idle_size(blocks.sand.block, blocks.sand.values.grains, diagnostics);
  for (const auto& b : blocks.grains)
    if (b.good) warn_of_idle_size(b.block, b.values, diagnostics);
}

}  // namespace silt

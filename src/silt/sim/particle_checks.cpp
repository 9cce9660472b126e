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

}  // namespace

void check_particles(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  const std::string& material = blocks.material;
  if (material == "smoke" || material == "gas")
    for (const auto& b : blocks.sinks)
      diagnostics.error(b.block.where(), "only water and sand vanish in a sink, and this scene has none",
                        "an open side lets smoke out; dissipation in [smoke] makes it fade");
  if (!has_particles(blocks)) return;
  if (blocks.dims == 1 && blocks.domain.good)
    diagnostics.error(blocks.domain.where("size"), material + " has no surface in 1D",
                      "it needs two numbers or three: size = [1, 1]");
  for (const auto& b : blocks.inflows)
    diagnostics.error(b.block.where(), "an inflow blows air, and this scene has only " + material,
                      "a [source.NAME] with a shape, material = \"" + material + "\" and a velocity is a jet");
  for (const auto& b : blocks.sources) check_pours(b, material, diagnostics);
}

}  // namespace silt

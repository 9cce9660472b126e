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
void check_pours(const ReadBlock<SourceParams>& b, Diagnostics& diagnostics) {
  const MotionParams& motion = b.values.motion;
  const bool still =
      motion.position.constant() && motion.rotation.constant() && motion.spin.constant() && motion.spin(0) == 0;
  if (!b.good || !still || b.values.rate || !nothing_but_zero(b.values.velocity)) return;
  diagnostics.warning(
      b.block.where(),
      "'" + b.block.path() + "' fills its shape once, and then gives nothing: its water has no velocity",
      "give it a velocity, or a rate; a [fill.NAME] is there from the start");
}

}  // namespace

void check_liquid(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  if (blocks.material == "smoke")
    for (const auto& b : blocks.sinks)
      diagnostics.error(b.block.where(), "only water vanishes in a sink, and this scene has none",
                        "an open side lets smoke out; dissipation in [smoke] makes it fade");
  if (blocks.material != "water") return;
  if (blocks.dims == 1 && blocks.domain.good)
    diagnostics.error(blocks.domain.where("size"), "water has no surface in 1D",
                      "it needs two numbers or three: size = [1, 1]");
  for (const auto& b : blocks.inflows)
    diagnostics.error(b.block.where(), "an inflow blows air, and this scene has only water",
                      "a [source.NAME] with a shape, material = \"water\" and a velocity is a jet");
  for (const auto& b : blocks.sources) check_pours(b, diagnostics);
}

}  // namespace silt

#include "silt/core/text.h"
#include "silt/sim/people.h"
#include "silt/sim/scene_checks.h"

namespace silt {
namespace {

void check_axis(const ReadBlock<ForceParams>& b, int dims, Diagnostics& diagnostics) {
  if (!b.values.vortex->axis) return;
  if (dims < 3) {
    diagnostics.error(b.where("vortex.axis"), str("in ", dims, "D a vortex turns about z: leave 'axis' out"));
  } else if (*b.values.vortex->axis == Vec3d{}) {
    diagnostics.error(b.where("vortex.axis"), "'axis' has no direction: all its numbers are 0",
                      "for example axis = [0, 0, 1]");
  }
}

void check_force(const ReadBlock<ForceParams>& b, int dims, Diagnostics& diagnostics) {
  const ForceParams& p = b.values;
  if (dims == 1 && (p.vortex || p.turbulence)) {
    diagnostics.error(b.block.key_where(p.vortex ? "vortex" : "turbulence"),
                      "nothing turns in 1D: this force needs a scene of two or three dimensions");
    return;
  }
  if (p.vortex) check_axis(b, dims, diagnostics);
  if (!p.shape && !make_motion(p.motion, nullptr).still() && !p.point && !p.vortex)
    diagnostics.warning(b.where("motion"),
                        "'" + b.block.path() + "' acts everywhere, so that moving it changes nothing",
                        "give it a shape");
}

}  // namespace

void check_forces(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  for (const auto& b : blocks.forces)
    if (b.good) check_force(b, blocks.dims, diagnostics);
}

}  // namespace silt

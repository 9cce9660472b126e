#include <cmath>

#include "silt/sim/people.h"
#include "silt/sim/scene_checks.h"

namespace silt {

void check_fills(const SceneBlocks& blocks, Diagnostics& diagnostics) {
  for (const auto& b : blocks.fills)
    if (b.good && b.values.vortices && blocks.dims == 1)
      diagnostics.error(b.block.key_where("vortices"),
                        "nothing turns in 1D: vortices need a scene of two or three dimensions");
}

void check_fill_repeats(const ReadBlock<FillParams>& b, const Domain& domain, Diagnostics& diagnostics) {
  if (!b.good || !b.values.vortices) return;
  for (int axis = 0; axis < 3; ++axis) {
    if (!domain.lattice.active[axis] || domain.side(axis, 0) != Side::periodic) continue;
    const double length = domain.upper()[axis] - domain.lower()[axis];
    const double waves = length / b.values.vortices->wavelength;
    if (std::abs(waves - std::round(waves)) <= 1e-3 && waves > 0.5) continue;
    diagnostics.warning(b.where("vortices.wavelength"),
                        "the vortices do not meet at the periodic sides: " + short_text(waves) +
                            " wavelengths go into the domain's " + short_text(length) + " m",
                        "a wavelength of " + short_text(length / std::max(1.0, std::round(waves))) + " does");
    return;
  }
}

}  // namespace silt

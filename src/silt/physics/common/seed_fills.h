#pragma once

#include "silt/physics/common/setting.h"

namespace silt {

/// The setting's fills as particles. Where fills overlap the last one counts; a particle's `source` is the number of
/// its fill. Those beside an obstacle may still touch it.
Particles seed_fills(const Exec& exec, const Setting& setting, Modes modes);

}  // namespace silt

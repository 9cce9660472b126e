#pragma once

#include "silt/physics/common/setting.h"
#include "silt/physics/sand/params.h"

namespace silt {

/// use(grains) by the `source` of particles: of each fill, of each emitter, and of any other.
template <class Use>
void each_sand_source(const SandParams& params, const Setting& setting, const Use& use) {
  for (const Fill& fill : setting.fills) use(params.grains_of(fill.grains));
  for (const Emitter& emitter : setting.emitters) use(params.grains_of(emitter.grains));
  use(params.grains);
}

}  // namespace silt

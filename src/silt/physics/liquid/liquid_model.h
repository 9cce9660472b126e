#pragma once

#include <memory>

#include "silt/physics/common/model.h"
#include "silt/physics/common/setting.h"
#include "silt/physics/liquid/params.h"

namespace silt {

/// A model of a liquid in the given setting: the fills are seeded with particles, emitters and sinks work. `pad`
/// allocates that many cells beyond the liquid: answers do not change.
std::unique_ptr<Model> make_liquid_model(const LiquidParams& params, const Setting& setting, int pad = 0);

/// Bytes of memory a particle and a cell of the grid round it need while it runs, everything included; for `silt
/// check`.
struct LiquidMemory {
  double per_particle = 0, per_cell = 0;
};
LiquidMemory liquid_memory(const LiquidParams& params);

}  // namespace silt

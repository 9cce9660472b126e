#pragma once

#include <memory>

#include "silt/physics/common/model.h"
#include "silt/physics/common/setting.h"
#include "silt/physics/sand/params.h"

namespace silt {

/// A model of sand in the given setting: the fills are seeded with particles, emitters and sinks work. `pad` allocates
/// that many cells beyond the sand: answers do not change.
std::unique_ptr<Model> make_sand_model(const SandParams& params, const Setting& setting, int pad = 0);

/// Bytes that a particle and a cell of the grid round it need while it runs, everything included; and a cell of a
/// checkpoint. For `silt check`.
struct SandMemory {
  double per_particle = 0, per_cell = 0, checkpoint_per_cell = 0;
};
SandMemory sand_memory(const SandParams& params, int dims);

}  // namespace silt

#pragma once

#include <memory>

#include "silt/physics/common/model.h"
#include "silt/physics/common/setting.h"
#include "silt/physics/smoke/contents.h"
#include "silt/physics/smoke/params.h"

namespace silt {

/// A model of smoke at rest in the given setting. `pad` allocates that many cells beyond the domain: answers do not
/// change.
std::unique_ptr<Model> make_smoke_model(const SmokeParams& params, const Setting& setting, int pad = 0);

/// Bytes of memory a cell needs while it runs, everything included; for `silt check`.
double smoke_bytes_per_cell(const SmokeParams& params, const SmokeContents& contents);

}  // namespace silt

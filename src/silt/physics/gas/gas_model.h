#pragma once

#include <memory>

#include "silt/physics/common/model.h"
#include "silt/physics/common/setting.h"
#include "silt/physics/gas/params.h"

namespace silt {

/// A model of gas at rest in the given setting. `pad` allocates that many cells beyond the domain: answers do not
/// change. `frame` is the time between frames [s], which says what sound they show; 0: nobody looks.
std::unique_ptr<Model> make_gas_model(const GasParams& params, const Setting& setting, int pad = 0, double frame = 0);

/// Bytes of memory a cell needs while it runs, everything included; for `silt check`.
double gas_bytes_per_cell(const GasParams& params);

}  // namespace silt

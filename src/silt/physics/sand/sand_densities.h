#pragma once

#include "silt/physics/common/setting.h"
#include "silt/physics/sand/cell_density.h"
#include "silt/physics/sand/params.h"

namespace silt {

/// Of the sand of each fill, of each emitter, and of any other.
inline SandDensities sand_densities(const SandParams& params, const Setting& setting) {
  SandDensities out;
  for (const Fill& fill : setting.fills) out.push_back(params.grains_of(fill.grains).density);
  for (const Emitter& emitter : setting.emitters) out.push_back(params.grains_of(emitter.grains).density);
  out.push_back(params.grains.density);
  return out;
}

}  // namespace silt

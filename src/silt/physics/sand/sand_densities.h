#pragma once

#include <algorithm>
#include <vector>

#include "silt/physics/common/particles_to_grid.h"
#include "silt/physics/sand/sand_sources.h"

namespace silt {

/// By the `source` of particles: of the sand of each fill, of each emitter, and of any other [kg/m^3].
inline std::vector<double> sand_densities(const SandParams& params, const Setting& setting) {
  std::vector<double> out;
  each_sand_source(params, setting, [&](const Grains& grains) { out.push_back(grains.density); });
  return out;
}

/// The same over that of the usual sand; empty where all are alike.
inline ParticleWeights sand_heaviness(const SandParams& params, const Setting& setting) {
  const std::vector<double> densities = sand_densities(params, setting);
  const double usual = params.grains.density;
  if (std::all_of(densities.begin(), densities.end(), [&](double d) { return d == usual; })) return {};
  ParticleWeights out(densities.size());
  std::transform(densities.begin(), densities.end(), out.host(), [&](double d) { return float(d / usual); });
  return out;
}

}  // namespace silt

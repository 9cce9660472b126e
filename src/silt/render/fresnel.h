#pragma once

#include <optional>

#include "silt/core/vec.h"

namespace silt {

inline constexpr float water_index = 1.333f;

/// Share of light that a smooth surface of water reflects, for unpolarised light [Fresnel]. `cosine` is of the angle in
/// the medium the light comes from; `from_water`: light that wants to get out, all of it reflected when it is flat.
float water_reflectance(float cosine, bool from_water);

/// A direction of length 1 bent by the surface [Snell]; nothing when all light is reflected. `normal` is on the side
/// the light comes from.
std::optional<Vec3f> bend(const Vec3f& direction, const Vec3f& normal, bool from_water);

}  // namespace silt

#pragma once

#include "silt/fields/field.h"
#include "silt/physics/common/setting.h"

namespace silt {

/// u += dt a for one force field, with its strengths as they are at `time` [s]. `scratch` is overwritten by turbulence.
/// `seed` is the run's; fields of different names have different noise.
void apply_force(const Exec& exec, const Domain& domain, const ForceField& field, std::uint64_t seed, double time,
                 double dt, Field<float>& scratch, MacField<float>& velocity);

/// Bounds for the time step: how much any of the fields accelerates [m/s^2], and how fast the winds blow [m/s].
double largest_push(const std::vector<ForceField>& fields, double time);
double fastest_wind(const std::vector<ForceField>& fields, double time);

}  // namespace silt

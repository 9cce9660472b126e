#pragma once

#include "silt/fields/domain.h"
#include "silt/render/params.h"

namespace silt {

/// What a look leaves open follows from the domain's narrower horizontal side, so that scenes of any size look alike.
double water_depth_in(const Domain& domain, const LookParams& look);    ///< [m]: half of that side
double density_scale_in(const Domain& domain, const LookParams& look);  ///< [1/m]: e^-34 gets through density 1
double flame_scale_in(const Domain& domain, const LookParams& look);    ///< [1/m]

/// How many balls stand for each of so many grains: as asked for, or as many as keep their number near two million.
int balls_per_grain(std::int64_t grains, const LookParams& look);

}  // namespace silt

#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// Smoke, heat and fuel are zero in most of a scene. What is zero as far as the flow comes from stays zero, and need
/// not be carried.

/// The smallest box that holds every value of `field` in `box` that is not zero; empty where all are.
Box occupied(const Exec& exec, const Field<float>& field, const Box& box);

/// Bound on the cells along any axis that `velocity`, whose halo counts, goes in dt.
double longest_path(const Exec& exec, const Domain& domain, double dt, const MacField<float>& velocity);

/// field = 0 in `box`.
void clear(const Exec& exec, const Box& box, Field<float>& field);

}  // namespace silt

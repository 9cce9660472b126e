#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/particles.h"

/// What pulls at everything alike, as gravity does.
namespace silt {

/// u += by on every face [m/s].
void push_faces(const Exec& exec, const Domain& domain, const Vec3d& by, MacField<float>& velocity);
/// Every velocity gains `by` [m/s].
void push_particles(const Exec& exec, const Vec3d& by, Particles& particles);

}  // namespace silt

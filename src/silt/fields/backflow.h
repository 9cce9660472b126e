#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// The air outside is at rest: what comes in through an open side brings no motion with it. Where air leaves, nothing
/// of this happens. Without it a vortex that leaves feeds on its own motion: what it draws in comes with the speed of
/// what is there, for nothing.

/// Along the side. Where `flow` enters, component `component` of a velocity becomes 0 in the halo beyond the side;
/// where it leaves, what stands there stays. All halos of `flow` must be filled; the velocity may be its own component.
void enter_at_rest(const Exec& exec, const Domain& domain, const MacField<float>& flow, int component,
                   Field<float>& velocity);

/// Across the side, whose faces have no value beyond them that a scheme could take: after the flow has carried its
/// component across `axis` for dt, on the faces of open sides where it entered,
///   v -= n (v - 0),   n = min(1, |flow| dt / h),   the difference against the flow to air at rest.
void slow_what_enters(const Exec& exec, const Domain& domain, const MacField<float>& flow, int axis, double dt,
                      Field<float>& velocity);

}  // namespace silt

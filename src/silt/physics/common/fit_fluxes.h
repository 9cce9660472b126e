#pragma once

#include "silt/physics/common/flux_transport.h"

namespace silt {

/// Where solids move, the flow that a projection leaves makes room for them as they are at the end of the step, by the
/// velocities of faces. What cells really gain and lose in the step differs from that a little, and what flows with it
/// would be squeezed beside solids, or thinned. So the volumes that pass faces get the smallest correction that fits:
///   d^T A d q = -e,   F -= A grad q,   e = sum_f +-F + V - V_before - dt S
/// with S what swells. A cell that is closed by the end has no face left: what it loses, its group does.

/// -e of `step`, whose `room`, `room_before` and `groups` are there.
void missing_volumes(const FluxStep& step, const MacField<float>& open, Field<double>& out);
/// F -= A grad q. Halos of the result are filled.
void correct_fluxes(const Exec& exec, const Domain& domain, const Field<double>& q, const MacField<float>& open,
                    MacField<float>& fluxes);

}  // namespace silt

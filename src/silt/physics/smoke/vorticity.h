#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// u += dt strength h (N x omega),  omega = curl u,  N = grad |omega| / |grad |omega||.
///   [FED01] Fedkiw, Stam & Jensen 2001, section 3.2: puts back the swirls that the grid has smoothed away.
/// omega is taken at cell centres: the mean of the four edges' circulation, which the MAC grid has exactly. The force
/// is made there too and carried to the faces by the mean of their two cells, so that inside a closed region what one
/// face gains the next one loses. Where |omega| changes by less than a thousandth a cell, as inside a solid rotation, N
/// has no direction and is let fade. `strength` [1/s]. Reads one layer of halo of the velocity; `force` and `size` are
/// scratch.
void confine_vorticity(const Exec& exec, const Domain& domain, double strength, double dt, MacField<float>& force,
                       Field<float>& size, MacField<float>& velocity);

/// The strength that is used [1/s] where `asked` is asked for and the fastest flow is `speed`: no more than 0.005
/// speed / h. What a grid smooths away a second is a share of speed / h; swirls that get more than that back grow until
/// it is (in a periodic box with MacCormack to speeds of 160 h times the strength), and with them the time a run takes.
double confinement_strength(double asked, double speed, double h);

}  // namespace silt

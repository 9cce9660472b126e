#pragma once

#include "silt/fields/field.h"
#include "silt/fields/particle_sort.h"
#include "silt/physics/common/thin_sides.h"
#include "silt/physics/common/transfer_options.h"

namespace silt {

/// Particles take their velocity, and the modes they carry, from the faces round them:
///   u_p = sum_f w_fp u_f + kept (u_p - sum_f w_fp before_f),    c_p = sum_f d_fp u_f, with d_fp the weights of a slope
/// `before` is what particles_to_grid gave, read only where something of the difference is kept (FLIP). Particles must
/// be sorted, and halos of what is read filled: one layer; two where `sides` are given: nothing is taken from behind
/// thin solids then.
void grid_to_particles(const Exec& exec, const TransferOptions& options, const MacField<float>& velocity,
                       const MacField<float>& before, const CellRanges& ranges, Particles& particles,
                       const ThinSides::View& sides = {});

}  // namespace silt

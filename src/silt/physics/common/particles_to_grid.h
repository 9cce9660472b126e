#pragma once

#include "silt/fields/field.h"
#include "silt/fields/particle_sort.h"
#include "silt/physics/common/thin_sides.h"
#include "silt/physics/common/transfer_options.h"

namespace silt {

/// Kept from one transfer to the next.
struct TransferScratch {
  Buffer<float> sums;  ///< of each occupied tile
  Buffer<int> slot;    ///< of each tile in `sums`; -1: none
};

/// What particles count for, by their `source`; the last also that of sources beyond. Empty: all alike, 1.
using ParticleWeights = Buffer<float>;

/// The velocity of every face is the mean of the particles' round it, each with its own velocity field:
///   weight_f = sum_p m_p w_fp,   u_f = sum_p m_p w_fp u_p(x_f) / weight_f,   u_p(x) = u_p + c_p . (x - x_p) + ...
/// Where particles are alike `weight` is in particles: 2^D in the midst of a liquid that is seeded so. Where it is 0
/// the velocity is 0. Each tile sums its own particles in order, then every face adds up the tiles round it in a fixed
/// order: the same bits for any number of threads. Faces outside the domain have what falls on them; fill_halo sets
/// them anew. Particles must be sorted. Behind thin solids they give nothing, where `sides` are given.
void particles_to_grid(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                       Across across, TransferScratch& scratch, MacField<float>& velocity, MacField<float>& weight,
                       const ParticleWeights& counts = {}, const ThinSides::View& sides = {});

}  // namespace silt

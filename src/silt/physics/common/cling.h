#pragma once

#include <vector>

#include "silt/fields/particle_sort.h"

namespace silt {

struct ClingOptions {
  double contact = 0.5;        ///< distance of particles that touch [cells]; at most 0.9
  std::vector<float> pulls{};  ///< by the source of a particle, of one at contact [m/s]; the last of sources beyond
};

/// Particles that have come apart by less than a tenth of their distance at contact hold each other back, both alike,
/// while they go on parting: by half of how fast they do, at most by the pull, which is a cubic of how far they are,
/// from all of it at contact to nothing [Tao14, 4.4]. (There it acts on those at rest, too, and they never are.) A pair
/// of different sources pulls by the less of the two. Velocities change, their sum does not, nor does any pair turn
/// round.
///   [Tao14] Tao 2014, Coupled simulation of fluids and granular materials
void cling(const Exec& exec, const Domain& domain, const ClingOptions& options, const CellRanges& ranges,
           Particles& particles);

}  // namespace silt

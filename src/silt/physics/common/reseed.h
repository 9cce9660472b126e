#pragma once

#include "silt/fields/particle_sort.h"

namespace silt {

/// How many particles a cell inside the material should have. 0: half of 2^D, and one and a half times 2^D.
struct ReseedOptions {
  int least = 0, most = 0;
  std::uint64_t seed = 0;
  std::uint64_t step = 0;  ///< counts the calls: other random places each time
};

struct ReseedReport {
  std::size_t born = 0, died = 0;
};

/// Fills cells that have too few particles and thins those that have too many, but only where all cells round them have
/// particles too, and for new ones all those up to two cells away: so the surface stays where it is. As many die as are
/// born, for each stands for its part of the volume: cells too few or too many to pair are left. Who is born has the
/// velocity field and the looks of the nearest particle, so momentum is spread and not made; who dies is of the fullest
/// part of its cell. Particles must be sorted before, and again afterwards.
ReseedReport reseed_particles(const Exec& exec, const Domain& domain, const CellRanges& ranges,
                              const ReseedOptions& options, Particles& particles);

/// Spreads the particles of cells that have more than `most` of them (0: twice 2^D) at random within their cell, or
/// more than twice as many where not all cells round it have some; each takes along the velocity field that it had.
/// Beside the edges of solids hundreds of particles come to lie in one point and would stay together: whatever the grid
/// does to one of them it does to all. They stay in their cells, so that sorted particles stay sorted.
void scatter_crowds(const Exec& exec, const Domain& domain, const CellRanges& ranges, const ReseedOptions& options,
                    Particles& particles);

}  // namespace silt

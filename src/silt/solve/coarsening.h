#pragma once

#include "silt/solve/level.h"
#include "silt/solve/poisson.h"

namespace silt {

/// The finest level, of the operator itself. Cells marked in `fixed` (may be nullptr) are no unknowns: they are held at
/// zero. Uses the memory `level` has where it fits.
void make_finest(const Exec& exec, const PoissonOperator& op, const Field<unsigned char>* fixed, Level& level);

/// The next coarser level: cells are pairs of cells along every axis that can be halved, unknowns are the connected
/// parts of a cell, up to four. Weights are those of a lattice twice as coarse: half the sum over the finer faces
/// between two unknowns (the area grows by 2^(D-1), the distance by 2). Uses the memory `coarse` has where it fits.
void coarsen(const Exec& exec, const Level& fine, Level& coarse);

/// Whether `coarsen` would make anything smaller.
bool can_halve(const Level& level);

}  // namespace silt

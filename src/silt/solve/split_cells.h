#pragma once

#include "silt/solve/level.h"

namespace silt {

/// Finds the parts of the coarse cells that are not all of one piece and gives each part an unknown of its own; tells
/// `coarse` about their members, and returns the part (0: the first) of every finer cell on the lattice. `flagged` are
/// the coarse cells to look at, rising; cells with further unknowns on the finer level are added to them.
Field<unsigned char> split_cells(const Exec& exec, const Level& fine, const std::vector<Cell>& flagged, Level& coarse);

/// Couplings to and between the further unknowns, and the diagonals that they change. `part` is what `split_cells`
/// returned; the coarse lattice's own weights and held couplings are there already.
void link_split_cells(const Exec& exec, const Level& fine, const Field<unsigned char>& part, Level& coarse);

}  // namespace silt

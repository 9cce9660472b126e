#pragma once

#include <array>

#include "silt/fields/cut_cells.h"
#include "silt/fields/domain.h"
#include "silt/solve/grain_parts.h"

namespace silt {

/// Friction of the domain's walls [axis][end]: a coefficient; grain::sticks: sand sticks to it.
struct WallFriction {
  std::array<std::array<double, 2>, 3> sides{};
  std::array<std::array<Vec3d, 2>, 3> velocity{};  ///< of the walls in their own plane [m/s]
};

/// What each cell touches: walls of the domain, and solids, whose friction is `cut.grip`. `resting` stays as it is.
void find_contacts(const Exec& exec, const Domain& domain, const CutCells& cut, const WallFriction& walls,
                   GrainContacts& out);

/// What rests on the surfaces that a cell touches: on those of its faces that are closed.
void add_resting(const Exec& exec, const Domain& domain, const MacField<float>& resting, GrainContacts& out);

}  // namespace silt

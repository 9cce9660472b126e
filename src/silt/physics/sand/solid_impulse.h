#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/domain.h"
#include "silt/physics/sand/grain_faces.h"
#include "silt/solve/corner_stress.h"

namespace silt {

/// The momentum that grains gave solid number `solid` in a step, over the mass of a full cell [m/s]: pressure and
/// deviator on its surface, what rubs, and what rests on closed faces. It is what the solid took from the grains, to
/// the solver's tolerance. `cut.nearest` tells solids apart; without it there is one.
Vec3d solid_impulse(const Exec& exec, const Domain& domain, const CutCells& cut, int solid, const GrainFields& grains,
                    const Field<double>& pressure, const CornerStress& stress);

}  // namespace silt

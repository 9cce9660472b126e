#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/field.h"
#include "silt/fields/particle_sort.h"
#include "silt/fields/surface_of_particles.h"
#include "silt/physics/common/surface_beside_solids.h"

namespace silt {

/// Where the liquid's surface crosses the edges between cells' centres, for the pressure.
///
/// The level set of particles is no distance: across a flat surface |x - xbar| rises by 0.4 a cell inside and by 0.8
/// outside. The straight line between two centres therefore crosses zero up to a tenth of a cell too deep, the more so
/// the more of its way it goes along the normal. On a surface that lies obliquely to the grid the edges of one axis
/// then say another height than those of the other: pressure along such a surface does no longer balance gravity, and
/// what should rest is driven along it for ever. So the particles' own field is asked for once more, at the place where
/// the straight line is zero, and the parabola through the three values is what crosses.
///
/// `star` is A_f / theta_f (fields/hodge_star.h) and becomes that of these crossings. Beside solids it is done where
/// phi is that of particles and their copies (surface_beside_solids.h); `cut`, `beside`: null where there are no
/// solids.
void place_crossings(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                     const SurfaceOptions& options, const CutCells* cut, const BesideSolidsScratch* beside,
                     const Field<float>& phi, MacField<float>& star);

}  // namespace silt

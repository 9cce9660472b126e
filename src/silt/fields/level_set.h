#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/region.h"

namespace silt {

/// A level set here is a field at cell centres, negative in the liquid, whose zero is the liquid's surface [m]. A cell
/// at zero is air.

/// Fills the halo of a level set: periodic sides wrap; beyond the others it goes on as the parabola through the last
/// three cells, so that a surface meets a side at whatever angle it comes.
void fill_level_set_halo(const Exec& exec, const Domain& domain, Field<float>& phi);

/// The tiles of the domain in which there may be cells within `reach` cells of the surface: those that it passes
/// through, and as many round them.
Region tiles_near_surface(const Exec& exec, const Domain& domain, const Field<float>& phi, int reach);

/// Volume of the liquid in the domain [m^3; per metre of depth along a flat axis], by the part of each cell that lies
/// below the plane with the level set's mean and slope in it: exact for planes; within 5e-4, 7e-5 and 5e-6 for balls of
/// radius 5, 10 and 20 cells. Needs one layer of halo. `solids`, their distance at corners (fields/cut_cells.h), takes
/// out what lies inside them; in a cell that both surfaces cross, as if they crossed at random. `where`: only cells in
/// which it is not zero.
double level_set_volume(const Exec& exec, const Domain& domain, const Field<float>& phi,
                        const Field<float>* solids = nullptr, const Field<unsigned char>* where = nullptr);

}  // namespace silt

#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/particle_sort.h"
#include "silt/fields/walls.h"
#include "silt/physics/common/thin_sides.h"

/// Loops over cells, faces and particles that only a liquid needs.
namespace silt {

/// Faces that are not the liquid's: where particles have a say, what they said with the kick on top; the others as they
/// are. Not on faces that solids close: what lies on a solid would fall where it lies; nor on open faces behind a thin
/// solid. First from `velocity` into `kick`, then back.
void add_kick_beyond(const Exec& exec, const Domain& domain, int axis, const MacField<float>& star, const CutCells& cut,
                     const MacField<float>& weight, const MacField<float>& velocity, MacField<float>& kick);
void take_beyond(const Exec& exec, const Domain& domain, int axis, const MacField<float>& star, const CutCells& cut,
                 const MacField<float>& weight, const MacField<float>& kick, MacField<float>& velocity);

/// out = a + factor b on the faces across an axis; `out` may be either.
void add_faces(const Exec& exec, const Domain& domain, int axis, const MacField<float>& a, const MacField<float>& b,
               float factor, MacField<float>& out);

/// Largest |div u - growth| [1/s] of liquid cells.
double max_liquid_divergence(const Exec& exec, const Domain& domain, const Field<unsigned char>& air,
                             const MacField<float>& velocity, const CutCells& cut);

/// depth = 1 in cells all round which there is liquid, 0 at the surface, and smoothly from the one to the other. Reads
/// a layer of phi's halo.
void find_depth(const Exec& exec, const Domain& domain, const Field<float>& phi, Field<float>& depth);
/// out = h^2 (rate |grad u| (c - 1) + dt/2 tr(grad u grad u)) in liquid, c how many particles there are round a cell,
/// by their weights on its faces, over how many there should be, as far as there is liquid all round: at the surface
/// air and the way particles are seeded make it what it is. A clump, c > 2, counts anywhere and whatever the flow does,
/// with what is more than 2. Never more in a step than moves three tenths of a crowd, and of what a cell has `room`
/// for: asked for a whole cell's worth, what passes the slits of one that a solid all but fills would carry particles
/// along. Reads a layer of the velocity's halo, and two where `sides` and the solids are given: what is behind thin
/// ones then does not count as flow.
void find_crowding(const Exec& exec, const Domain& domain, const MacField<float>& weight, const Field<float>& capacity,
                   const Field<float>& room, const Field<float>& depth, const Field<float>& phi,
                   const MacField<float>& velocity, double rate, double dt, Field<double>& out,
                   const ThinSides& sides = {}, const CutCells* cut = nullptr);

/// Narrow openings between liquid and a cell of air in which a solid leaves room for less than half a particle are
/// closed, and move with the solid: there is no room for what would flow through. Through so small an opening, beside a
/// surface that is so near, all that a moving wall displaces would leave, at twenty times the wall's speed.
void shut_corners(const Exec& exec, const Domain& domain, const Field<float>& phi, const Field<float>& room,
                  const CutCells& cut, MacField<float>& star, MacField<float>& velocity);

/// Faces beside a wall of the domain that liquid slides along take the momentum that particles gave to those behind
/// it: u = (w u + w_behind u_behind) / (w + w_behind). Those behind will have the same velocity. Without it a flow that
/// shears at the wall gains what slopes say of the other side, a quarter of what the wall takes from it.
void fold_at_walls(const Exec& exec, const Domain& domain, const SideWalls& walls, const MacField<float>& weight,
                   MacField<float>& velocity);

/// Volume of the liquid [m^3; per metre of depth along a flat axis]: of the level set where five cells on end are
/// liquid, and round there; elsewhere, in sheets and drops that no level set on these cells can tell the thickness of,
/// what the particles stand for. Reads a layer of phi's halo.
double liquid_volume(const Exec& exec, const Domain& domain, const Field<float>& phi, const CellRanges& ranges,
                     const Field<float>* solids = nullptr);

/// How particles are moved in the second half of a step: out = u - 2 (d_i - d_{i-1}) / (theta_f h) on faces of liquid,
/// for all of the step's drift; inside solids, u without what goes further into them.
void moving_velocity(const Exec& exec, const Domain& domain, const MacField<float>& velocity, const Field<double>& d,
                     const MacField<float>& star, const CutCells& cut, bool solids, MacField<float>& out);

/// On solids that a film lies on, air a cell off them: the velocity without what goes into them. The pressure lets a
/// film sink that can give way to its sides, and what it has of that inside the solid would be as much.
void hold_films(const Exec& exec, const Domain& domain, const CutCells& cut, const Field<float>& phi,
                MacField<float>& velocity, MacField<float>& scratch);

}  // namespace silt

#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/particle_sort.h"
#include "silt/fields/surface_of_particles.h"
#include "silt/physics/common/let_go.h"
#include "silt/physics/common/surface_beside_solids.h"
#include "silt/solve/poisson_solver.h"

/// What flows as a liquid does under a free surface: where it is, and its pressure, 0 on the surface.
namespace silt {

/// Cells that are liquid for a particle in them.
///   in_liquid      beside solids and walls, with liquid over them as seen from there: where solids leave little room
///                  few particles tell no level
///   beside_solids  and films, too thin for a level set
///   all            any cell, so that drops between cells' centres, which no level set at centres shows, are seen
enum class Included { in_liquid, beside_solids, all };
void include_particles(const Exec& exec, const Domain& domain, const CellRanges& ranges, const CutCells& cut,
                       Included which, Field<unsigned char>& scratch, Field<float>& phi);

/// Faces of liquid cells that no particle reaches get the mean of those beside them that one does.
void fill_gaps(const Exec& exec, const Domain& domain, const Field<float>& phi, const MacField<float>& weight,
               MacField<float>& velocity);

/// q *= factor in liquid, 0 in air.
void scale_in_liquid(const Exec& exec, const Domain& domain, const Field<unsigned char>& air, double factor,
                     Field<double>& q);

/// kick_f = -(q_i - q_{i-1}) / (theta_f h), or as much more with `add`, and u_f by as much, on faces of liquid; u_f =
/// u_solid on walls of the domain that have not let go of what is beside them, and the others stay. `star` is A_f /
/// theta_f. Reads one layer of halo.
void subtract_liquid_gradient(const Exec& exec, const Domain& domain, const Field<double>& q,
                              const MacField<float>& star, const CutCells& cut, const Field<unsigned char>& released,
                              MacField<float>& kick, MacField<float>& velocity, bool add = false);

/// phi = the level set round the particles, going on into solids (surface_beside_solids.h) where there are any and
/// `capacity` (capacity.h) is given; air = 1 outside it, 0 inside. Sheets and spray that fill less than half of the
/// room are air; `thin`: they count too. Beside solids and walls every cell with a particle is liquid; with
/// `films_are_air`, only where liquid lies over it. `scratch`: any cells.
void find_free_surface(const Exec& exec, const Domain& domain, const Particles& particles, const CellRanges& ranges,
                       const CutCells& cut, const Field<float>* capacity, bool thin, BesideSolidsScratch& beside,
                       Field<float>& phi, Field<float>& scratch, Field<unsigned char>& air, bool films_are_air = false);

/// star = A_f / theta_f on faces of the liquid, of the surface that find_free_surface has found. `domain`: at the most
/// as many cells as there. `capacity`: whether there are solids, as there.
void find_free_surface_star(const Exec& exec, const Domain& domain, const Particles& particles,
                            const CellRanges& ranges, const CutCells& cut, const Field<float>* capacity, bool thin,
                            const BesideSolidsScratch& beside, const Field<float>& phi, MacField<float>& star);

/// Velocity that has to lose its divergence in the cells that are not air.
///   wet         the domain with those cells alone in use
///   star        A_f / theta_f (fields/hodge_star.h)
///   air         cells that walls let go of are added to it
///   rhs, asked  any cells
///   released    those that walls let go of; see let_go.h
struct FreeSurfaceFlow {
  const Domain& domain;
  const Domain& wet;
  const CutCells& cut;
  const MacField<float>& star;
  Field<unsigned char>& air;
  Field<double>&rhs, &asked;
  Field<unsigned char>& released;
  PoissonSolver& solver;
};

/// u = the divergence-free field nearest to u in the star's norm: d^T * d q = -h^2 div u, q = 0 on the surface; kick =
/// -grad q (with `add`: what it was, -grad q), u -= grad q; beside walls that let go, q >= their least and div u >= 0.
/// q = dt p / rho [m^2/s] holds a first guess. Reads a layer of the velocity's halo.
SolveReport project_free_surface(const Exec& exec, const FreeSurfaceFlow& flow, const LetGo& walls,
                                 const SolveOptions& options, Field<double>& q, MacField<float>& kick,
                                 MacField<float>& velocity, bool add = false);

}  // namespace silt

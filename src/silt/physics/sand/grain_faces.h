#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/domain.h"
#include "silt/solve/grain_parts.h"

namespace silt {

/// What a GrainSolver needs of sand on a grid.
struct GrainFields {
  MacField<float> open;  ///< part of each face that grains can pass: that of the cut cells, without slits
  MacField<float> mass, sheared, extended, lends;
  MacField<float> resting;  ///< push of what lies between a face and the solid behind it [m/s, times mass]
  MacField<float> moves;    ///< 1 on faces whose velocity is sand's
  Field<float> friction, cohesion, tension, slack;
  GrainContacts contacts;

  GrainFields() = default;
  explicit GrainFields(const Layout& layout)
      : open(layout),
        mass(layout),
        sheared(layout),
        extended(layout),
        lends(layout),
        resting(layout),
        moves(layout),
        friction(layout),
        cohesion(layout),
        tension(layout),
        slack(layout),
        contacts(layout) {}
  GrainParts parts() const {
    return {&mass, &open, &friction, &slack, &cohesion, &tension, &sheared, &extended, &lends, &contacts};
  }
};

/// Faces beside surfaces that lie aslant of which these leave less than a tenth are closed to grains, whose velocity
/// goes on there as it does behind the surface. A face has the mass of all particles round it, and pressure acts on
/// what is open of it: to hold that mass through a hundredth of a face took a hundred times the pressure of the cells
/// beside it, pass by pass, and friction in the sliver behind it grew along.
void close_slits(const Exec& exec, const Domain& domain, const CutCells& cut, GrainFields& fields);

/// Masses and velocities of faces beside cells of grains: u = u* where they move, else that of the solid. Every face
/// beside such a cell moves, however little mass it has: held, it would be a wall. `weight` of particles round faces,
/// and `heavy`, their masses.
void find_faces(const Exec& exec, const Domain& domain, const CutCells& cut, const Field<float>& part,
                const MacField<float>& weight, const MacField<float>& heavy, const MacField<float>& velocity,
                GrainFields& fields, MacField<double>& u);

/// Velocities go on into solids that cut cells aslant (see GrainParts): sand slides along these, and so does what of it
/// is on faces that are closed. Its mass and momentum belong to the faces that its velocity goes on from.
void extend_into_solids(const Exec& exec, const Domain& domain, const MacField<float>& heavy,
                        const MacField<float>& velocity, GrainFields& fields, MacField<double>& u);

/// Edges carry shear where all faces round them have a velocity of grains.
void find_edges(const Exec& exec, const Domain& domain, GrainFields& fields);

/// How much sand may come closer in a step: what is packed not at all, what is looser by a part a step until it is, and
/// what is looser than that flows as it likes until it meets.
void find_slack(const Exec& exec, const Domain& domain, const CutCells& cut, const Field<float>& fraction,
                const Field<float>& part, double dt, GrainFields& fields);

/// velocity = u where sand moves.
void take_velocity(const Exec& exec, const Domain& domain, const GrainFields& fields, const MacField<double>& u,
                   MacField<float>& velocity);

}  // namespace silt

#pragma once

#include "silt/fields/field.h"

namespace silt {

/// Where grains touch walls and solids, cell by cell. With A_i the area [of a cell's face] of a surface in the cell and
/// n_i where it faces, N = sum A_i n_i n_i^T is what counts of all of them together: its trace is their area, and N :
/// stress what pushes on them.
struct GrainContacts {
  Field<float> rub;          ///< coefficient of friction; negative: touches nothing
  MacField<float> across;    ///< N_aa
  MacField<float> mixed;     ///< [c]: N_ab, a and b the two axes after c
  MacField<float> velocity;  ///< of the surface [m/s]
  Field<float> aslant;       ///< 1 where a surface lies along no axis
  Field<float> volume;       ///< part of the cell that solids leave; 1 away from them
  Field<float> resting;      ///< push [m/s, times mass] of what lies between the cell's middle and the surface

  GrainContacts() = default;
  explicit GrainContacts(const Layout& layout)
      : rub(layout), across(layout), mixed(layout), velocity(layout), aslant(layout), volume(layout), resting(layout) {}
};

/// Grains in the cells of a lattice, to a solver of their velocity and stress. Masses are in units of a full cell's,
/// velocities in m/s, stresses in m/s too: times dt / (rho h).
///   mass      of the faces; 0: their velocity is given
///   open      part of each face that grains can pass
///   friction  tan(phi) of each cell; 0: no grains, and no stress
///   slack     how much more may flow into a cell than out of it, what solids push in already taken off: the room
///             between its grains
///   cohesion, tension   of each cell; nullptr: none
///   sheared   [c]: 1 on edges along c that carry shear, 0 on others
///   extended  on closed faces beside cells that a surface cuts aslant: grains slide along it, so their velocity goes
///             on there as the mean of the faces next to it that have mass, each with this share; 0 on others
///   lends     1 on the faces that it goes on from
struct GrainParts {
  const MacField<float>*mass = nullptr, *open = nullptr;
  const Field<float>*friction = nullptr, *slack = nullptr, *cohesion = nullptr, *tension = nullptr;
  const MacField<float>*sheared = nullptr, *extended = nullptr, *lends = nullptr;
  const GrainContacts* contacts = nullptr;
};

}  // namespace silt

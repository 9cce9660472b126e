#pragma once

#include "silt/fields/field.h"

namespace silt {

/// Grains in the cells of a lattice, to a solver of their velocity and stress. Masses are in units of a full cell's,
/// velocities in m/s, stresses in m/s too: times dt / (rho h). On edges along c: a, b are the two axes after c.
///   mass      of the faces; 0: their velocity is given
///   open      part of each face that grains can pass
///   friction  tan(phi) of each cell; 0: no grains, and no stress
///   slack     how much more may flow into a cell than out of it, what solids push in already taken off: the room
///             between its grains
///   cohesion, tension   of each cell; nullptr: none
///   first, second, known   shear of an edge is  first (difference of u_a along b) + second (that of u_b along a) +
///             known; both 0: it carries none
///   wall      friction of the wall that an edge lies on: its shears are at most so many times what pushes on the wall,
///             stress across it included; negative: it is within the grains
///   resting   push [m/s, times mass] of what lies between a face and the solid behind it
struct GrainParts {
  const MacField<float>*mass = nullptr, *open = nullptr;
  const Field<float>*friction = nullptr, *slack = nullptr, *cohesion = nullptr, *tension = nullptr;
  const MacField<float>*first = nullptr, *second = nullptr, *known = nullptr, *wall = nullptr, *resting = nullptr;
};

}  // namespace silt

#pragma once

#include "silt/fields/domain.h"
#include "silt/fields/field.h"
#include "silt/fields/particle_sort.h"
#include "silt/physics/common/thin_sides.h"

namespace silt {

/// How particles follow the flow over a step.
enum class Moving {
  own,       ///< each by its own velocity, x += dt u_p: what keeps angular momentum exactly
  straight,  ///< x += dt u(x), through the faces' velocity: the same seen from a frame that moves
  rk2,       ///< through the faces' velocity by the midpoint rule
  rk3,       ///< by Ralston's third-order rule
};

/// In how many equal parts a step is moved so that none crosses a cell: at least 1. `fastest` [m/s] along any axis.
int sub_moves(const Domain& domain, double fastest, double dt);
/// The largest component of the velocity on the domain's faces [m/s].
double fastest_face(const Exec& exec, const Domain& domain, const MacField<float>& velocity);

/// As near as particles come to a wall of the domain [cells].
inline constexpr float wall_gap = 1e-3f;

/// Moves all particles by dt in so many parts, and makes them older. Across periodic sides they come in again, at walls
/// they stop; those that leave through open sides are taken away by the next sort, and the dead stay dead. Needs one
/// layer of halo. `sorted`: their ranges, if nobody has moved or died since the sort; `straight` and the midpoint rule
/// are then several times as fast, and parts are only made where they are needed. `straight` takes no parts. With
/// `sides`, too, they follow the flow on their own side of thin solids.
void move_particles(const Exec& exec, const Domain& domain, Moving rule, const MacField<float>& velocity, double dt,
                    int parts, Particles& particles, const CellRanges* sorted = nullptr,
                    const ThinSides::View& sides = {});

}  // namespace silt

#pragma once

#include <vector>

#include "silt/physics/sand/rigid_motion.h"
#include "silt/physics/sand/wall_rub.h"

namespace silt {

/// Whether friction can hold a group of rigid cells as a whole. (2.5) of [ZB05] asks that of each cell by itself, and
/// to hold what is L cells across takes L^2 times the stress. Here the group may move as U + k (u - U), between its
/// rigid motion U and that of a liquid, u: of these,
///   1/2 (1 - k)^2 sum m |u - U|^2 + k (sum over cells of sqrt 2 (p tan(phi) + c) |D u| + what walls take)
/// is least, what is left to lose of energy and what friction takes in the step, at
///   k = max(0, 1 - friction / sum m |u - U|^2)
/// so that 0 is a group that holds. Of a few cells that is about (2.5).
struct GroupYield {
  double part = 0;     ///< k
  double resists = 0;  ///< what solids that close on the group have to do against friction in the step [m^2/s^2]
};

/// Of each group. What it resists with is what friction takes of the liquid's motion, which makes way for solids. The
/// weight of the sand fixes what presses it across the way in which it is squeezed, and that is the liquid's pressure:
/// the least of its stresses, p (1 - tan(phi)), Rankine's passive state. So p is the larger. `solids`: whether there
/// are any besides walls; `scratch`: any memory.
std::vector<GroupYield> yielding_parts(const Exec& exec, const Domain& domain, const FlowingSand& sand,
                                       const FrictionStress& stress, const MacField<float>& mass,
                                       const WallBounds& bounds, bool solids, const RigidGroups& groups,
                                       const std::vector<RigidMotion>& moving, Buffer<double>& scratch);

}  // namespace silt

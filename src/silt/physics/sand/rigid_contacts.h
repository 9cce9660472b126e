#pragma once

#include <vector>

#include "silt/fields/cut_cells.h"
#include "silt/physics/sand/rigid_motion.h"

namespace silt {

/// Where a rigid group lies against the domain's walls and against solids: of all cells that do, the outermost, and
/// what the pressure pushes all of them with, shared out among these.
struct RigidContacts {
  struct Point {
    Vec3d at;            ///< from the group's origin [cells]
    Vec3d normal;        ///< out of the solid
    double speed = 0;    ///< of the solid along it [m/s]
    double push = 0;     ///< impulse, over the mass of a full cell [m/s]
    Cell cell{};         ///< where that is
    bool solid = false;  ///< not one of the domain's walls
    double more = 0;     ///< of the push, to keep the group out
    double against = 0;  ///< of any multiple of this the others push against each other alone; see `closing`
  };
  std::vector<Point> points;
  double pressed = 0;  ///< sum of what walls and solids push all its cells with
  /// How fast solids close on the group and leave it no way out: sum of `against` and the solids' speeds [m^2/s^2]. 0
  /// where there is a motion that keeps it out of all of them.
  double closing = 0;
};

/// Of each group. `pressed`: see WallBounds; `solids`: whether there are any besides walls. On the host, whose copies
/// of the fields it reads.
std::vector<RigidContacts> find_rigid_contacts(const Domain& domain, const CutCells& cut, const RigidGroups& groups,
                                               const Field<float>& pressed, bool solids);

/// 0 <= push  perp  u . n >= 0 of a rigid group: walls push on it harder than the pressure says, as hard as keeps its
/// outermost cells from going into them; and less hard, down to nothing, where it would leave them. `motion` and what
/// the contacts push are changed; returns how many times as hard all of them then push. Where solids close on the group
/// no motion is one that keeps it out, and what they push it with against each other has no end: `more` is then the
/// least that gives it its motion, and how often `against` comes on top is for who knows what the group can bear.
double keep_out(const RigidMotions& motions, int group, RigidContacts& contacts, RigidMotion& motion);

}  // namespace silt

#pragma once

#include "silt/physics/sand/friction_stress.h"
#include "silt/physics/sand/grain_contacts.h"

namespace silt {

/// Friction of walls and solids on sand that flows, in the rigid-plastic model of [ZB05]: of cells that touch them, the
/// largest impulse in a step, over the mass of a full cell [m/s].
///   walls    of the domain's walls across each axis
///   solids   of the solids that cut the cell
///   pressed  what all of them push with
struct WallBounds {
  MacField<float> walls;
  Field<float> solids, pressed;

  WallBounds() = default;
  explicit WallBounds(const Layout& layout) : walls(layout), solids(layout), pressed(layout) {}
};

/// min(mu p, p tan(phi) + c), for what wall and sand hand on to each other is a stress in the sand too. p is the
/// pressure at the wall: that of the cell, and what the sand between the two had of velocity into the wall. `kick`:
/// what the pressure has added to the velocity, on faces of sand.
void find_wall_bounds(const Exec& exec, const Domain& domain, const FlowingSand& sand, const MacField<float>& kick,
                      const WallFriction& friction, bool solids, WallBounds& out);

/// Faces of sand as walls see them.
///   mass      of a full cell's
///   rigid     1 in cells of rigid groups
///   bounds    see WallBounds
struct RubbedFaces {
  const CutCells& cut;
  const MacField<float>&star, &mass;
  const Field<unsigned char>&air, &rigid;
  const WallBounds& bounds;
  const WallFriction& friction;
  bool solids;
};

/// (2.8) of [ZB05], u_T = max(0, 1 - J / |u_T|) u_T relative to the wall, J the bound over the face's mass, on faces
/// beside which no cell is rigid. Of faces that are rigid the velocity stays, and `impulse` is what would act on it,
/// times the mass of a full cell; `slip` is that times the relative velocity.
void rub_walls(const Exec& exec, const Domain& domain, const RubbedFaces& faces, MacField<float>& velocity,
               MacField<float>& impulse, MacField<float>& slip);

}  // namespace silt

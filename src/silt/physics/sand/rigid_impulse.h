#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/domain.h"
#include "silt/physics/sand/friction_stress.h"

namespace silt {

/// What sand of the rigid-plastic model does to solids in a step.
///   pressed  what walls and solids push each cell with, over the mass of a full cell [m/s]: see WallBounds
///   rubbed   by solids alone: what each face gains of velocity [m/s], or, beside rigid cells, its impulse
///   mass     of faces, of a full cell's
struct FeltSand {
  const CutCells& cut;
  const Field<unsigned char>& air;
  const Field<float>& pressed;
  const FrictionStress& stress;
  const MacField<float>&rubbed, &mass;
};

/// The momentum that solid number `solid` was given by cells that touch it, over the mass of a full cell [m/s]:
/// pressure, friction within cells that yield, and rubbing, but for that of rigid groups.
Vec3d flow_impulse(const Exec& exec, const Domain& domain, const FeltSand& sand, int solid);

/// By what that solid rubs on faces beside rigid cells, as it would act on each by itself, over the mass of a full cell
/// [m/s]; none on other faces.
void rigid_rub(const Exec& exec, const Domain& domain, const FeltSand& sand, int solid, MacField<float>& out);

}  // namespace silt

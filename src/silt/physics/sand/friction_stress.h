#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/domain.h"
#include "silt/fields/field.h"

namespace silt {

/// What inner friction does to sand that flows as a fluid, in the rigid-plastic model of [ZB05]: stresses at cells'
/// centres, over density and cell size, times the step [m/s]; positive where they stop what stretches.
///   shear   D_ab h at edges, a and b the two axes after the edge's; `no_shear` where a face round it is not sand's
///   along   s_aa of each cell
///   across  s_ab of each cell, numbered as edges are
///   rigid   1 where the stress that would stop all sliding within the cell is one that friction can bear
struct FrictionStress {
  MacField<float> shear, along, across;
  Field<unsigned char> rigid;

  FrictionStress() = default;
  explicit FrictionStress(const Layout& layout) : shear(layout), along(layout), across(layout), rigid(layout) {}
};

/// Sand that flows, on a grid.
///   star       weights of its faces (fields/hodge_star.h): 0 on those that are not sand's
///   air        1 in cells without
///   pressure   over density and cell size, times the step [m/s]
///   friction, cohesion   tan(phi), and as the pressure, of each cell
///   velocity   with a layer of halo [m/s]
struct FlowingSand {
  const CutCells& cut;
  const MacField<float>& star;
  const Field<unsigned char>& air;
  const Field<double>& pressure;
  const Field<float>&friction, &cohesion;
  const MacField<float>& velocity;
};

/// D of the velocity; s = D h, which stops it, where |s|_F <= sqrt 2 (p tan(phi) + c), and else the point of that bound
/// that lies along D. p is the largest on the cell's faces to other sand: it slides on the one below by what presses
/// the two together. Below zero it counts as none. D's trace is left out. Shears of a cell are means of those of its
/// edges that have one.
void find_friction_stress(const Exec& exec, const Domain& domain, const FlowingSand& sand, FrictionStress& out);

/// u += dt / rho div s on faces of sand beside which no cell is rigid. Edges that have no shear bear no stress: those
/// on the surface and on walls.
void add_friction(const Exec& exec, const Domain& domain, const MacField<float>& star, const FrictionStress& stress,
                  MacField<float>& velocity);

}  // namespace silt

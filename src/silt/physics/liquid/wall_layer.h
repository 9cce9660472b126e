#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/particle_sort.h"
#include "silt/fields/walls.h"

namespace silt {

/// The layer of a liquid beside walls and solids that it sticks to, thinner than cells.
///
/// A wall that became wet a time t ago has slowed what is near it as a plate that is set going at once does
/// ([S51] Stokes 1851; Schlichting, Boundary-Layer Theory): with U the stream's velocity relative to the wall,
///
///     u(y) = U erf(y / l),   l = 2 sqrt(nu t),   tau = rho U sqrt(nu / (pi t)).
///
/// Between y0 and y1 the liquid has the share  E(t) = 1/(y1 - y0) int erf(y / l) dy  of U left. So in a step a face's
/// velocity relative to the wall becomes E(t) / E(t - dt) of what it was: the plate's answer for cells of any size,
/// and stable for any step. Where l is small it takes the stress tau, where l is large 2 rho nu u / h, as cells that
/// resolve the layer would.
///   film       liquid that ends at y1 drags nothing along above it. Its mean is 1 - 2 sqrt(s / pi) of U at first and
///              8/pi^2 exp(-pi^2 s / 4) later, s = nu t / y1^2: on a slope it comes to 0.41 g y1^2 / nu, Nusselt's
///              0.33.
///   turbulent  from U^2 t / nu = 3e5 on. With the seventh-root profile and Blasius' friction the plate's layer lacks
///              0.038 U t (U^2 t / nu)^(-1/5) of the stream; l is then sqrt(pi) times that.
/// Faces farther than a cell from a wall are left alone: a layer that is thicker than a cell loses what lies beyond.
struct WallLayer {
  double viscosity = 0;              ///< nu [m^2/s]
  SideWalls walls{};                 ///< sides of the domain
  const CutCells* solids = nullptr;  ///< none: no solid that it sticks to
  bool solids_move = false;
  double dt = 0;  ///< [s]
};

/// What a face is of: liquid between y0 and y1 from a wall [m], `film` where it ends at y1.
struct LayerPart {
  double y0, y1;
  bool film;
};

/// E(wet_for) / E(wet_for - dt): how much of its velocity relative to the wall a face keeps in dt. `speed`: of that.
SILT_HD double share_kept(double viscosity, double wet_for, double dt, double speed, const LayerPart& part);

/// How long each cell beside such a wall or solid has been wet [s], dt later; 0 where it is dry, and in other cells.
/// It goes along with walls and solids that move. `scratch` has the same layout.
void age_wetted(const Exec& exec, const Domain& domain, const WallLayer& layer, const Field<unsigned char>& air,
                const CellRanges& ranges, Field<double>& scratch, Field<double>& wetted);

/// Walls and solids slow the liquid beside them, for dt; `wetted` as it is at the end of it.
void rub_walls(const Exec& exec, const Domain& domain, const WallLayer& layer, const CellRanges& ranges,
               const Field<double>& wetted, MacField<float>& velocity);

}  // namespace silt

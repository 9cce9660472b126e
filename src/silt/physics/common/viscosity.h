#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/walls.h"
#include "silt/solve/poisson_solver.h"

namespace silt {

/// Implicit viscosity of a constant coefficient, one component of the velocity at a time:
///   u_new - nu dt lap u_new = u.
/// Unconditionally stable. Div(2 nu D) is nu lap u where u is divergence-free and nu constant.
///
/// Walls and solids either hold the fluid beside them or let it slide:
///   no slip    u = u_solid on the surface itself, at its own place between two faces: the face beyond it is replaced
///   by
///              the value on the surface, theta h away, which keeps the system symmetric and is second order
///              [GFCK02] Gibou, Fedkiw, Cheng & Kang 2002, A second-order-accurate symmetric discretization of the
///              Poisson equation on irregular domains
///   free slip  no stress: what crosses between two faces is weighted by the open fraction between them
/// Nothing crosses open sides.
class Viscosity {
 public:
  explicit Viscosity(const Layout& layout);

  /// Smooths `velocity` by `nu_dt` = nu dt [m^2]; the worst of the components' solves is reported. Faces whose centres
  /// lie in a solid that fluid sticks to get its velocity. Halos need not be filled, and are not.
  SolveReport run(const Exec& exec, const Domain& domain, const CutCells& cut, const SideWalls& walls, double nu_dt,
                  const SolveOptions& options, MacField<float>& velocity);

 private:
  MacField<float> weights_;
  Field<float> screen_;
  Field<double> rhs_, x_;
  PoissonSolver solver_;
};

}  // namespace silt

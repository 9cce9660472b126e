#pragma once

#include "silt/physics/gas/transport.h"
#include "silt/solve/poisson_solver.h"

namespace silt::gas {

/// The pressure at the end of an implicit step. Pressure changes by what is carried and by what is squeezed,
///   p = p_before - dt (us . grad p_before + rho c^2 div us),   us = theta u + (1 - theta) u_before,
///   u = u~ - theta dt grad p' / rho_f
/// (the linearised isentropic law), which is a weighted Poisson problem with a diagonal:
///   V p' / (rho c^2) - theta^2 dt^2 div(A / rho_f grad p') = V (p'_before - dt us~ . grad p) / (rho c^2) - dt div us~,
/// us~ = theta u~ + (1 - theta) u_before. As c grows the diagonal goes, and what is left is the incompressible one
/// (3.26, 3.38; [KSGF09] Kwatra, Su, Gretarsson & Fedkiw 2009, A method for avoiding the acoustic time step
/// restriction). It only says where the flow goes: mass, momentum and energy change by fluxes, which are exact whatever
/// the tolerance.
class PressureSystem {
 public:
  explicit PressureSystem(const Layout& layout)
      : solver_(layout), weights_(layout), screen_(layout), rhs_(layout), pressure_(layout) {}

  /// `us` is u~ on entry, and us on return; `work` receives theta p' + (1 - theta) p'_before.
  SolveReport solve(const StepFrame& frame, const SolveOptions& options, const GasState& state,
                    const Field<float>& pressure, MacField<float>& us, Field<float>& work);

 private:
  PoissonSolver solver_;
  MacField<float> weights_;  ///< A / rho_f [m^3/kg]
  Field<float> screen_;
  Field<double> rhs_, pressure_;
};

}  // namespace silt::gas

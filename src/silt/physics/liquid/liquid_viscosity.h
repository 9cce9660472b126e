#pragma once

#include "silt/physics/liquid/viscous_system.h"
#include "silt/solve/multigrid.h"
#include "silt/solve/solve_report.h"

namespace silt {

/// Implicit viscosity of a liquid with a free surface, stable for any step: backward Euler of du/dt = div(2 nu D), see
/// ViscousSystem. Conjugate gradients, x and the residual in double, directions in float. Each component by itself,
/// the others at rest, is a weighted screened Laplacian on its faces: a multigrid cycle for each is the preconditioner,
/// and by Korn's inequality the number of iterations grows neither with the grid nor with nu dt / h^2.
class LiquidViscosity {
 public:
  explicit LiquidViscosity(const Layout& layout);
  LiquidViscosity(const LiquidViscosity&) = delete;  // its parts point at each other
  LiquidViscosity& operator=(const LiquidViscosity&) = delete;

  /// Viscosity acts on `velocity` for `dt` [s]. Faces in the air that the liquid drags along should hold its velocity,
  /// carried outwards. Halos need not be filled, and are not. Never leaves a NaN: when numbers are bad, nothing
  /// changes, and the report says so.
  SolveReport run(const Exec& exec, const Domain& domain, const ViscousLiquid& liquid, double dt,
                  const SolveOptions& options, MacField<float>& velocity);

  const ViscousSystem& system() const { return system_; }  ///< of the last run

 private:
  void prepare_multigrid(const Exec& exec);
  double precondition(const Exec& exec);
  int iterate(const Exec& exec, double stop, int most, double norm2);

  ViscousSystem system_;
  MacField<double> x_, b_, r_, as_;
  MacField<float> s_;  ///< the direction
  Field<unsigned char> held_;
  PoissonOperator block_[3];
  Multigrid multigrid_[3];
};

}  // namespace silt

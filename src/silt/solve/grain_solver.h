#pragma once

#include "silt/solve/grain_force.h"
#include "silt/solve/strain_multigrid.h"

namespace silt {

struct GrainOptions {
  double speed = 1;           ///< what counts as a velocity: that which a step of gravity adds [m/s]
  double inflow = 1;          ///< what counts as a difference of velocities across a cell [m/s]
  double tolerance = 3e-3;    ///< on momentum, compression and stress, in units of speed
  int max_iterations = 5000;  ///< of conjugate gradients, in all
  double stiffness = 15;      ///< of the augmented Lagrangian
  double crushing = 1e30;     ///< pressure at which grains give way, whatever the room [m/s]
  double column = 1e30;       ///< that below the highest column of them: what bears more is under a load [m/s]
  bool box = false;           ///< |s_ab| <= tan(phi) p one by one, instead of the cone: piles get corners [Tao14]
};

struct GrainReport {
  int passes = 0;       ///< with other bounds each
  int iterations = 0;   ///< cycles of multigrid, in all
  double momentum = 0;  ///< what is left of the balance of momentum, root mean square / speed; of pinched sand, / more
  double compression = 0;  ///< inflow without room, and outflow under pressure or tension, root mean square / inflow;
                           ///< or part of that of grains under a load, if that is more
  double stress = 0;       ///< last change of stresses, root mean square / what they are
  double balance = 0;      ///< the worse of momentum and stress, each over how exact it has to be, times the tolerance
  double yield = 0;        ///< what stresses exceed friction's bounds by, root mean square / these
  bool balanced = false;   ///< momentum is, and stresses have settled
  bool separated = false;  ///< compression is small enough
  bool bounded = false;    ///< yield is
  bool converged = false;  ///< all three
};

/// The velocity of grains that bear against each other and rub: of all that squeeze no cell that is full, the one where
/// stress does most against the flow inside its cone,
///   m (u - u*) + D^T (p, s) = 0,   0 <= p  perp  outflow + slack >= 0,   |s| <= sqrt 2 (tan(phi) p + c),  s along D.
/// An augmented Lagrangian in velocities: with the bound of friction that of the last pressure, each pass is the
/// minimum of
///   1/2 m |u - u*|^2 + squares of what p and s would be, cut at their bounds,
/// a convex function whose second derivative is, nearly, a StrainSystem (grain_force.h). It is minimised by conjugate
/// gradients after Polak and Ribiere, in the metric of that system, which one V-cycle stands in for. Then p and s
/// become what they would be. docs/physics/sand.md.
class GrainSolver {
 public:
  /// Where cells are in use.
  void place(const Domain& domain, const Layout& layout);

  /// `u` holds u* and receives the answer; on faces without mass it is what they are held at. `p` and `s` hold a first
  /// guess, and receive the stress; where there is any, u* less `push` is a first guess of the velocity.
  GrainReport solve(const Exec& exec, const GrainParts& parts, const GrainOptions& options, const Vec3d& push,
                    MacField<double>& u, Field<double>& p, CornerStress& s);

 private:
  struct Unknowns {
    MacField<double>& u;
    Field<double>& p;
    CornerStress& s;
  };
  /// The sum of squares of the masses.
  double take_parts(const Exec& exec, const GrainParts& parts, const Vec3d& push, const Unknowns& x);
  GrainForce::Sums evaluate(const Exec& exec, const Unknowns& x, bool all_bear);
  /// Goes on until |F| <= within; no more than so many turns.
  GrainForce::Sums minimise(const Exec& exec, double within, int turns, bool all_bear, const Unknowns& x,
                            GrainReport& report);
  double turn(const Exec& exec, bool first);
  GrainForce::Sums step_along(const Exec& exec, double slope, const Unknowns& x);

  Domain domain_;
  UsedRows used_;
  GrainForce force_;
  StrainMultigrid multigrid_;
  MacField<float> downhill_, before_;        ///< -F, and what it was a turn ago
  MacField<float> conditioned_, direction_;  ///< a V-cycle of it, and where to go
  double promised_ = 0;                      ///< downhill . conditioned, a turn ago
};

}  // namespace silt

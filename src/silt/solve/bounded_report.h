#pragma once

#include <cstdint>

#include "silt/core/vec.h"

namespace silt {

/// What conjugate gradients on the free cells are preconditioned by.
enum class FaceMethod { automatic, damped_steps, incomplete_cholesky, multigrid };

struct BoundedOptions {
  double tolerance = 1e-6;  ///< on the projected gradient, relative: see BoundedReport::kkt
  int max_iterations = 2000;
  FaceMethod preconditioner = FaceMethod::automatic;  ///< where there is a choice
  double absolute = 0;  ///< a projected gradient this small is good enough, whatever its relative size
  /// Work stays on the face of free unknowns while what the bounds hold back promises no more than this squared times
  /// what the face does (Gamma of [DS05]).
  double proportion = 1;
};

/// What b pushes at without end.
struct Unheld {
  Cell cell{};             ///< one of its cells
  std::int64_t cells = 0;  ///< how many it has
  double push = 0;         ///< the sum of b over them
};

/// How the minimisation of 1/2 x.Ax - b.x between bounds went.
struct BoundedReport {
  int cg = 0;              ///< steps of conjugate gradients on a face
  int expansions = 0;      ///< steps that added bounds to the active set
  int proportionings = 0;  ///< steps that let bounds go
  int sweeps = 0;          ///< plain projected steps before all others; one product with A each, and no more
  double kkt = 0;          ///< |projected gradient| / |A x0 - b|, x0 the point between the bounds nearest to zero
  std::int64_t free = 0;   ///< unknowns strictly between their bounds
  std::int64_t at_lower = 0, at_upper = 0;
  int preconditioners = 0;                            ///< how many were made: the face moves
  FaceMethod preconditioner = FaceMethod::automatic;  ///< the last of them
  bool converged = false;
  bool infeasible = false;  ///< b pushes without end along a direction that A does not resist: there is no minimum
  Unheld unheld;            ///< where, if the solver knows: the part with the largest push

  int iterations() const { return cg + expansions + proportionings; }
};

}  // namespace silt

#pragma once

namespace silt {

/// How one linear solve went.
struct SolveReport {
  int iterations = 0;
  double residual = 0;  ///< true |b - A x| / |b|, recomputed from x
  bool converged = true;
};

struct SolveOptions {
  double tolerance = 1e-6;  ///< on the true relative residual
  int max_iterations = 1000;
};

}  // namespace silt

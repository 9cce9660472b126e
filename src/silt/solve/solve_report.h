#pragma once

#include <algorithm>

namespace silt {

/// How one linear solve went.
struct SolveReport {
  int iterations = 0;
  double residual = 0;  ///< true |b - A x| / |b|, recomputed from x
  bool converged = true;
  double imbalance =
      0;  ///< what a sealed part of the domain was asked to take in without a way out, relative to max |b|
};

/// The worst of several solves, number by number.
inline void keep_worst(SolveReport& worst, const SolveReport& solve) {
  worst.iterations = std::max(worst.iterations, solve.iterations);
  worst.residual = std::max(worst.residual, solve.residual);
  worst.converged = worst.converged && solve.converged;
  worst.imbalance = std::max(worst.imbalance, solve.imbalance);
}

struct SolveOptions {
  double tolerance = 1e-6;  ///< on the true relative residual
  int max_iterations = 1000;
};

}  // namespace silt

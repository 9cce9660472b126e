#pragma once

#include <cstdint>

namespace silt {

struct ConeOptions {
  double tolerance = 1e-6;  ///< on the projected gradient, relative: see ConeReport::kkt
  int max_iterations = 10000;
};

/// How the minimisation of 1/2 x.Ax - b.x over cones went.
struct ConeReport {
  int iterations = 0;
  int restarts = 0;                      ///< how often the acceleration led uphill and was dropped
  int shortened = 0;                     ///< how often the norm of A proved larger than its estimate
  double kkt = 0;                        ///< |projected gradient| / |A x0 - b|, x0 the allowed point nearest to zero
  std::int64_t inside = 0, on_side = 0;  ///< blocks inside their cone, and on its boundary
  std::int64_t at_apex = 0;              ///< blocks of no stress at all: at the apex
  bool converged = false;
  bool infeasible = false;  ///< b pushes without end along a direction that A does not resist
};

}  // namespace silt

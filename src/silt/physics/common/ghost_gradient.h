#pragma once

#include "silt/fields/cut_cells.h"
#include "silt/fields/exterior_derivative.h"

namespace silt {

/// (q_i - q_{i-1}) / (theta h) on a face of the liquid.
struct GhostGradient {
  const double* q;
  const float *star, *open;
  int back;
  double inv_h;
  SILT_HD double operator()(int n) const { return double(star[n]) / open[n] * (q[n] - q[n - back]) * inv_h; }
};

inline GhostGradient ghost_gradient(const Exec& exec, double h, const Field<double>& q, const MacField<float>& star,
                                    const CutCells& cut, int axis) {
  return {q.read(exec).data, star[axis].read(exec).data, cut.open[axis].read(exec).data,
          Derivative(q.layout()).step[axis], 1 / h};
}

}  // namespace silt

#pragma once

#include "silt/scene/table.h"

namespace silt {

/// What scenes may say of a pressure solve, of every material alike.
template <class P>
Parameter<P> solve_tolerance(double P::*tolerance, double least) {
  return number(
      "tolerance", tolerance,
      {.min = least, .max = 0.1, .help = "relative residual at which the pressure solve stops", .resumable = true});
}
template <class P>
Parameter<P> solve_iterations(int P::*most) {
  return integer(
      "max_iterations", most,
      {.min = 1, .max = 1000000, .help = "pressure iterations before a substep counts as failed", .resumable = true});
}

}  // namespace silt

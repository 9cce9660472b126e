#pragma once

#include "silt/solve/bounded_solver.h"

namespace silt {

/// Minimises 1/2 x.Ax - b.x between bounds one unknown at a time, over-relaxed and cut at its bounds, until no sweep
/// moves any by more than `tolerance`: slow, simple, and by another way than solve/mprgp.h, for tests and experiments.
/// Returns the sweeps it took. x is a first guess; `screen` is that of
/// the operator.
///   [CRY71] Cryer 1971, The solution of a quadratic programming problem using systematic overrelaxation
int projected_sor(const PoissonOperator& op, const CellBounds& bounds, const Field<double>& b, Field<double>& x,
                  double tolerance, const Field<float>* screen = nullptr);

}  // namespace silt

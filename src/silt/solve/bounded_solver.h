#pragma once

#include <limits>
#include <memory>

#include "silt/solve/bounded_report.h"
#include "silt/solve/face_preconditioner.h"
#include "silt/solve/null_space.h"

namespace silt {

/// Between what x has to stay: a number for all cells, or a field where one is given. Infinite: no bound.
struct CellBounds {
  double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
  const Field<double>* lower_field = nullptr;
  const Field<double>* upper_field = nullptr;
};
inline constexpr CellBounds not_negative{.lower = 0};  ///< 0 <= x  perp  A x - b >= 0: the complementarity problem

/// Minimises 1/2 x.Ax - b.x for the weighted Laplacian, screened or not, between bounds: MPRGP (solve/mprgp.h), x, b
/// and residuals in double, directions in float. Made once, prepared whenever the weights change, asked as often as
/// needed. Rows without weights are left out: x is there what is nearest to 0.
class BoundedSolver {
 public:
  BoundedSolver();
  ~BoundedSolver();
  BoundedSolver(const BoundedSolver&) = delete;
  BoundedSolver& operator=(const BoundedSolver&) = delete;

  /// Weights and screen must stay where they are until the next call; see PoissonSolver::prepare.
  void prepare(const Exec& exec, const Domain& domain, const MacField<float>& weights,
               const Field<float>* screen = nullptr);

  /// `x` holds a first guess and receives the answer, its halo filled, always between the bounds and never a NaN. Zero
  /// (or the bound next to it) in all cells is no guess: one is then made on coarser lattices, where the bounds are the
  /// same everywhere and the domain can be halved.
  /// A closed part of the domain that b pushes towards bounds that are not there has no answer: the report says so and
  /// where, and the rest is solved with that part's mean taken off b.
  BoundedReport solve(const Exec& exec, const BoundedOptions& options, const CellBounds& bounds, Field<double>& b,
                      Field<double>& x);

 private:
  struct Work;

  void take(const Exec& exec, const Domain& domain, const MacField<float>& weights, const Field<float>* screen);
  void start_coarsely(const Exec& exec, const BoundedOptions& options, const CellBounds& bounds, const Field<double>& b,
                      Field<double>& x);

  PoissonOperator operator_;
  FacePreconditioner preconditioner_;
  NullSpace null_space_;
  std::unique_ptr<Work> work_;
};

}  // namespace silt

#pragma once

#include <limits>

#include "silt/solve/mic.h"
#include "silt/solve/multigrid.h"
#include "silt/solve/null_space.h"
#include "silt/solve/poisson.h"
#include "silt/solve/solve_report.h"

namespace silt {

enum class Preconditioner { multigrid, incomplete_cholesky };

/// Solves A x = b for the weighted Laplacian, screened or not: preconditioned conjugate gradients, x, b and the
/// residual in double, search directions in float (the residual is updated with the product of the rounded direction,
/// so nothing is lost), preconditioned by a multigrid cycle or by incomplete Cholesky. Made once, prepared whenever the
/// weights change, and asked as often as needed.
class PoissonSolver {
 public:
  explicit PoissonSolver(const Layout& layout, Preconditioner preconditioner = Preconditioner::multigrid);
  PoissonSolver(const PoissonSolver&) = delete;  // its parts point at each other
  PoissonSolver& operator=(const PoissonSolver&) = delete;

  /// Takes new weights, a screen where there is one, and the cells where x is held at zero; weights and screen must
  /// stay where they are until the next call.
  void prepare(const Exec& exec, const Domain& domain, const MacField<float>& weights,
               const Field<float>* screen = nullptr, const Field<unsigned char>* held = nullptr);

  /// `x` holds a first guess and receives the answer, its halo filled. `b` is made compatible where the system is
  /// singular. When the iteration breaks down the report says so, and x is no NaN and no worse than zero would be.
  SolveReport solve(const Exec& exec, const SolveOptions& options, Field<double>& b, Field<double>& x);

  const Multigrid& multigrid() const { return multigrid_; }  ///< for benchmarks

 private:
  bool multigrid_is_used() const { return preconditioner_ == Preconditioner::multigrid; }
  /// What a step leaves.
  struct Rest {
    double norm;                                                ///< |r|
    double smoothed = std::numeric_limits<double>::infinity();  ///< |r - A z|, z = r smoothed; infinite: not known
  };
  int iterate(const Exec& exec, double stop, int most, double norm, Field<double>& x);
  double apply_cholesky(const Exec& exec);
  Rest advance(const Exec& exec, double alpha, bool near_end, Field<double>& x);

  Preconditioner preconditioner_;
  PoissonOperator operator_;
  NullSpace null_space_;
  Field<double> r_;  ///< in float, closed parts would gather a mean that nothing takes out
  Field<float> s_;   ///< the direction
  UsedRows used_;    ///< of these two
  Multigrid multigrid_;
  struct {
    MicPreconditioner factors;
    Field<float> z, narrow;
  } cholesky_;
};

}  // namespace silt

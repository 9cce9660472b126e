#pragma once

#include "silt/solve/bounded_report.h"
#include "silt/solve/damped_steps.h"
#include "silt/solve/mic.h"
#include "silt/solve/multigrid.h"

namespace silt {

/// A preconditioner of the weighted Laplacian on a face: the cells that are not held at a bound, with a correction of
/// zero at those that are. The face moves while a bounded problem is solved, and the preconditioner is made anew each
/// time: one to two cycles for multigrid, which a face that is out of date costs in steps too; nothing for damped
/// steps.
class FacePreconditioner {
 public:
  /// Takes a new operator, which must stay where it is.
  void prepare(const PoissonOperator& op) { op_ = &op; }
  /// Before a solve.
  void choose(FaceMethod method) { asked_ = method, made_ = 0; }
  /// z ~ A_FF^-1 r; `fixed` != 0 marks the cells off the face, `moved` that they are not those of the last call.
  void apply(const Exec& exec, const Field<double>& r, const Field<unsigned char>& fixed, bool moved, Field<float>& z);
  /// How often it has been made since `choose`, and what it is.
  int made() const { return made_; }
  FaceMethod method() const { return method_; }

 private:
  FaceMethod best(const Exec& exec, const Field<unsigned char>& fixed) const;
  void make(const Exec& exec, const Field<unsigned char>& fixed);

  const PoissonOperator* op_ = nullptr;
  FaceMethod asked_ = FaceMethod::automatic, method_ = FaceMethod::automatic;
  MicPreconditioner cholesky_;
  Multigrid multigrid_;
  DampedSteps steps_;
  int made_ = 0;
};

}  // namespace silt

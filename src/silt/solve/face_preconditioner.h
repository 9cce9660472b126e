#pragma once

#include "silt/solve/mic.h"

namespace silt {

/// A preconditioner of the weighted Laplacian on a face: the cells that are not held at a bound, with a correction of
/// zero at those that are. The face moves while a bounded problem is solved; this decides when to follow it.
class FacePreconditioner {
 public:
  /// Takes a new operator, which must stay where it is.
  void prepare(const PoissonOperator& op) { op_ = &op; }
  /// z ~ A_FF^-1 r; `fixed` != 0 marks the cells off the face, `moved` that they are not those of the last call.
  void apply(const Exec& exec, const Field<double>& r, const Field<unsigned char>& fixed, bool moved, Field<float>& z) {
    if (moved) mic_.prepare(exec, *op_, &fixed);
    mic_.apply(exec, r, z);
  }

 private:
  const PoissonOperator* op_ = nullptr;
  MicPreconditioner mic_;
};

}  // namespace silt

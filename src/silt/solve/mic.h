#pragma once

#include "silt/solve/poisson.h"

namespace silt {

/// Modified incomplete Cholesky, MIC(0), in fixed blocks of 32^D cells on the global lattice: couplings between blocks
/// are dropped, so blocks run in parallel and the result depends on neither threads nor the allocated box.
///   [GUS78] Gustafsson 1978;  [BRI15] Bridson 2015, ch. 5: tau = 0.97, safety sigma = 0.25
class MicPreconditioner {
 public:
  MicPreconditioner() = default;
  MicPreconditioner(const Exec& exec, const PoissonOperator& op) { prepare(exec, op); }

  /// Factorises. `fixed` != 0 marks cells that are held: their correction is zero, and so is what stands at them for
  /// their neighbours.
  void prepare(const Exec& exec, const PoissonOperator& op, const Field<unsigned char>* fixed = nullptr);
  /// z = M^-1 r; zero on rows without weights and on held cells.
  void apply(const Exec& exec, const Field<double>& r, Field<float>& z) const;

 private:
  const PoissonOperator* op_ = nullptr;
  Box blocks_;            ///< block indices that meet the domain
  Field<float> inverse_;  ///< 1 / sqrt(e) of each row, 0 on rows without weights and on held cells
};

}  // namespace silt

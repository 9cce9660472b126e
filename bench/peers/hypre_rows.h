#pragma once

#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>

#include "hypre_peer.h"

namespace silt::bench {

/// A matrix of rows.
class Rows {
 public:
  explicit Rows(Share& share) : indices_(share.part.count()) {
    const BoxProblem& box = share.task.box;
    const int first = int(box.row(0, 0, share.part.lo[2])), last = int(box.row(0, 0, share.part.hi[2])) - 1;
    assemble_matrix(box, share.part, first, last);
    for (std::size_t c = 0; c < indices_.size(); ++c) indices_[c] = first + int(c);
    for (HYPRE_IJVector* v : {&x_rows_, &b_rows_}) {
      check(HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, v));
      check(HYPRE_IJVectorSetObjectType(*v, HYPRE_PARCSR));
      check(HYPRE_IJVectorInitialize(*v));
      check(HYPRE_IJVectorSetValues(*v, int(indices_.size()), indices_.data(), share.values.data()));
      check(HYPRE_IJVectorAssemble(*v));
    }
    check(HYPRE_IJMatrixGetObject(rows_, reinterpret_cast<void**>(&matrix_)));
    check(HYPRE_IJVectorGetObject(x_rows_, reinterpret_cast<void**>(&x_)));
    check(HYPRE_IJVectorGetObject(b_rows_, reinterpret_cast<void**>(&b_)));
  }
  ~Rows() {
    HYPRE_IJMatrixDestroy(rows_);
    HYPRE_IJVectorDestroy(x_rows_);
    HYPRE_IJVectorDestroy(b_rows_);
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void clear() { check(HYPRE_ParVectorSetConstantValues(x_, 0)); }
  void answer(Share& share) {
    check(HYPRE_IJVectorGetValues(x_rows_, int(indices_.size()), indices_.data(), share.values.data()));
  }

  /// BoomerAMG. Returns the iterations.
  int solve(double tolerance, const Choices& choices, Stopwatch& watch) {
    HYPRE_Solver cg, amg;
    check(HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg));
    check(HYPRE_PCGSetTol(cg, tolerance));
    check(HYPRE_PCGSetTwoNorm(cg, 1));
    check(HYPRE_PCGSetMaxIter(cg, 10000));
    check(HYPRE_BoomerAMGCreate(&amg));
    check(HYPRE_BoomerAMGSetTol(amg, 0));
    check(HYPRE_BoomerAMGSetMaxIter(amg, 1));
    check(HYPRE_BoomerAMGSetPrintLevel(amg, 0));
    choose(amg, choices);
    check(HYPRE_PCGSetPrecond(cg, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                              reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), amg));
    check(HYPRE_ParCSRPCGSetup(cg, matrix_, b_, x_));
    watch.set_up_done();
    check(HYPRE_ParCSRPCGSolve(cg, matrix_, b_, x_));
    watch.stop();
    int iterations = 0;
    check(HYPRE_PCGGetNumIterations(cg, &iterations));
    check(HYPRE_ParCSRPCGDestroy(cg));
    check(HYPRE_BoomerAMGDestroy(amg));
    return iterations;
  }

 private:
  static void choose(HYPRE_Solver amg, const Choices& choices) {
    choices.set(amg, "coarsen", HYPRE_BoomerAMGSetCoarsenType);
    choices.set(amg, "interp", HYPRE_BoomerAMGSetInterpType);
    choices.set(amg, "relax", HYPRE_BoomerAMGSetRelaxType);
    choices.set(amg, "relax_order", HYPRE_BoomerAMGSetRelaxOrder);
    choices.set(amg, "sweeps", HYPRE_BoomerAMGSetNumSweeps);
    choices.set(amg, "threshold", HYPRE_BoomerAMGSetStrongThreshold);
    choices.set(amg, "aggressive", HYPRE_BoomerAMGSetAggNumLevels);
    choices.set(amg, "aggressive_interp", HYPRE_BoomerAMGSetAggInterpType);
    choices.set(amg, "aggressive_elements", HYPRE_BoomerAMGSetAggPMaxElmts);
    choices.set(amg, "max_elements", HYPRE_BoomerAMGSetPMaxElmts);
    choices.set(amg, "truncate", HYPRE_BoomerAMGSetTruncFactor);
    choices.set(amg, "keep_transpose", HYPRE_BoomerAMGSetKeepTranspose);
    choices.set(amg, "rap2", HYPRE_BoomerAMGSetRAP2);
    choices.set(amg, "mod_rap2", HYPRE_BoomerAMGSetModuleRAP2);
  }
  void assemble_matrix(const BoxProblem& box, const Part& part, int first, int last) {
    check(HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &rows_));
    check(HYPRE_IJMatrixSetObjectType(rows_, HYPRE_PARCSR));
    const std::vector<int> room(part.count(), 7);
    check(HYPRE_IJMatrixSetRowSizes(rows_, room.data()));
    check(HYPRE_IJMatrixInitialize(rows_));
    const int strides[3] = {1, box.n, box.n * box.n};
    part.for_each([&](int i, int j, int k) {
      const int row = int(box.row(i, j, k));
      int columns[7] = {row}, count = 1;
      double values[7] = {double(box.diagonal(i, j, k))};
      box.for_each_neighbour(i, j, k, [&](int axis, int step) {
        columns[count] = row + step * strides[axis];
        values[count++] = -1;
      });
      check(HYPRE_IJMatrixSetValues(rows_, 1, &count, &row, columns, values));
    });
    check(HYPRE_IJMatrixAssemble(rows_));
  }

  std::vector<int> indices_;
  HYPRE_IJMatrix rows_;
  HYPRE_IJVector x_rows_, b_rows_;
  HYPRE_ParCSRMatrix matrix_;
  HYPRE_ParVector x_, b_;
};

}  // namespace silt::bench

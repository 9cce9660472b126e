#pragma once

#include <HYPRE_struct_ls.h>

#include "hypre_peer.h"

namespace silt::bench {

/// The structured interface: the diagonal and the couplings to one side.
class Structured {
 public:
  explicit Structured(Share& share) {
    const Part& part = share.part;
    for (int a = 0; a < 3; ++a) lo_[a] = part.lo[a], hi_[a] = part.hi[a] - 1;
    check(HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid_));
    check(HYPRE_StructGridSetExtents(grid_, lo_, hi_));
    check(HYPRE_StructGridAssemble(grid_));
    assemble_matrix(share.task.box, part);
    for (HYPRE_StructVector* v : {&x_, &b_}) {
      check(HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid_, v));
      check(HYPRE_StructVectorInitialize(*v));
    }
    check(HYPRE_StructVectorSetBoxValues(b_, lo_, hi_, share.values.data()));
    check(HYPRE_StructVectorAssemble(b_));
    check(HYPRE_StructVectorAssemble(x_));
  }
  ~Structured() {
    HYPRE_StructMatrixDestroy(matrix_);
    HYPRE_StructVectorDestroy(x_);
    HYPRE_StructVectorDestroy(b_);
    HYPRE_StructStencilDestroy(stencil_);
    HYPRE_StructGridDestroy(grid_);
  }
  Structured(const Structured&) = delete;
  Structured& operator=(const Structured&) = delete;

  void clear() { check(HYPRE_StructVectorSetConstantValues(x_, 0)); }
  void answer(Share& share) { check(HYPRE_StructVectorGetBoxValues(x_, lo_, hi_, share.values.data())); }

  /// PFMG. Returns the iterations.
  int solve(double tolerance, const Choices& choices, Stopwatch& watch) {
    HYPRE_StructSolver cg, pfmg;
    check(HYPRE_StructPCGCreate(MPI_COMM_WORLD, &cg));
    check(HYPRE_StructPCGSetTol(cg, tolerance));
    check(HYPRE_StructPCGSetTwoNorm(cg, 1));
    check(HYPRE_StructPCGSetMaxIter(cg, 10000));
    check(HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &pfmg));
    check(HYPRE_StructPFMGSetTol(pfmg, 0));
    check(HYPRE_StructPFMGSetMaxIter(pfmg, 1));
    check(HYPRE_StructPFMGSetZeroGuess(pfmg));
    choices.set(pfmg, "relax", HYPRE_StructPFMGSetRelaxType);
    choices.set(pfmg, "jacobi_weight", HYPRE_StructPFMGSetJacobiWeight);
    choices.set(pfmg, "rap", HYPRE_StructPFMGSetRAPType);
    choices.set(pfmg, "pre", HYPRE_StructPFMGSetNumPreRelax);
    choices.set(pfmg, "post", HYPRE_StructPFMGSetNumPostRelax);
    choices.set(pfmg, "skip", HYPRE_StructPFMGSetSkipRelax);
    check(HYPRE_StructPCGSetPrecond(cg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg));
    check(HYPRE_StructPCGSetup(cg, matrix_, b_, x_));
    watch.set_up_done();
    check(HYPRE_StructPCGSolve(cg, matrix_, b_, x_));
    watch.stop();
    int iterations = 0;
    check(HYPRE_StructPCGGetNumIterations(cg, &iterations));
    check(HYPRE_StructPCGDestroy(cg));
    check(HYPRE_StructPFMGDestroy(pfmg));
    return iterations;
  }

 private:
  void assemble_matrix(const BoxProblem& box, const Part& part) {
    check(HYPRE_StructStencilCreate(3, 4, &stencil_));
    int offsets[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int entry = 0; entry < 4; ++entry) check(HYPRE_StructStencilSetElement(stencil_, entry, offsets[entry]));
    check(HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid_, stencil_, &matrix_));
    check(HYPRE_StructMatrixSetSymmetric(matrix_, 1));
    check(HYPRE_StructMatrixInitialize(matrix_));
    std::vector<double> values(4 * part.count());
    double* at = values.data();
    part.for_each([&](int i, int j, int k) {
      at[0] = box.diagonal(i, j, k);
      box.for_each_neighbour(i, j, k, [&](int axis, int step) {
        if (step > 0) at[1 + axis] = -1;
      });
      at += 4;
    });
    int entries[4] = {0, 1, 2, 3};
    check(HYPRE_StructMatrixSetBoxValues(matrix_, lo_, hi_, 4, entries, values.data()));
    check(HYPRE_StructMatrixAssemble(matrix_));
  }

  int lo_[3], hi_[3];
  HYPRE_StructGrid grid_;
  HYPRE_StructStencil stencil_;
  HYPRE_StructMatrix matrix_;
  HYPRE_StructVector x_, b_;
};

}  // namespace silt::bench

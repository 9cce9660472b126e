// PETSc's TAO: the least of x.Ax / 2 - b.x over x >= 0. METHOD: gpcg or tron. OPTIONS: PETSc's own.

#include <petsctao.h>

#include "petsc_grid.h"

namespace silt::bench {
namespace {

// Found by trying: see docs/validation/lcp.md.
constexpr const char* usual_options = "-ksp_rtol 0.1 -pc_type bjacobi -sub_pc_type icc";

struct Energy {
  Mat matrix;
  Vec b;
};

PetscErrorCode energy_and_gradient(Tao, Vec x, double* energy, Vec gradient, void* context) {
  PetscFunctionBeginUser;
  const Energy& of = *static_cast<const Energy*>(context);
  double x_ax, x_b;
  PetscCall(MatMult(of.matrix, x, gradient));
  PetscCall(VecDot(x, gradient, &x_ax));
  PetscCall(VecDot(x, of.b, &x_b));
  PetscCall(VecAXPY(gradient, -1, of.b));
  *energy = 0.5 * x_ax - x_b;
  PetscFunctionReturn(0);
}
/// The matrix itself, always.
PetscErrorCode hessian(Tao, Vec, Mat, Mat, void*) {
  return 0;
}

PetscErrorCode run(const PeerTask& task) {
  PetscFunctionBeginUser;
  const double start = wall_seconds();
  DM grid;
  Energy energy;
  Vec x, lowest, highest;
  PetscCall(make_grid(task.box.n, &grid));
  PetscCall(DMCreateMatrix(grid, &energy.matrix));
  PetscCall(MatSetOption(energy.matrix, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(MatSetOption(energy.matrix, MAT_SPD, PETSC_TRUE));
  PetscCall(assemble_box(grid, 1, energy.matrix));
  PetscCall(DMCreateGlobalVector(grid, &x));
  for (Vec* other : {&energy.b, &lowest, &highest}) PetscCall(VecDuplicate(x, other));
  PetscCall(fill(grid, energy.b, [&](int i, int j, int k) { return task.box.bounded_load(task.load, i, j, k); }));
  PetscCall(VecSet(lowest, 0));
  PetscCall(VecSet(highest, PETSC_INFINITY));
  double size;
  PetscCall(VecNorm(energy.b, NORM_2, &size));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "assembly %.6f\n", wall_seconds() - start));

  for (int repeat = 0; repeat < task.repeats; ++repeat) {
    Tao solver;
    PetscCall(VecSet(x, 0));
    Stopwatch watch;
    PetscCall(TaoCreate(PETSC_COMM_WORLD, &solver));
    PetscCall(TaoSetType(solver, task.method == "gpcg" ? TAOGPCG : TAOTRON));
    PetscCall(TaoSetSolution(solver, x));
    PetscCall(TaoSetVariableBounds(solver, lowest, highest));
    PetscCall(TaoSetObjectiveAndGradient(solver, nullptr, energy_and_gradient, &energy));
    PetscCall(TaoSetHessian(solver, energy.matrix, energy.matrix, hessian, nullptr));
    PetscCall(TaoSetTolerances(solver, task.tolerance * size, 0, 0));
    PetscCall(TaoSetMaximumIterations(solver, 10000));
    PetscCall(TaoSetMaximumFunctionEvaluations(solver, 100000));
    PetscCall(TaoSetFromOptions(solver));
    PetscCall(TaoSetUp(solver));
    watch.set_up_done();
    PetscCall(TaoSolve(solver));
    PetscInt linear;
    PetscCall(TaoGetLinearSolveIterations(solver, &linear));
    watch.solve_done(int(linear));
    PetscCall(TaoDestroy(&solver));
  }
  PetscCall(write_answer(task, grid, x));
  for (Vec* vector : {&x, &energy.b, &lowest, &highest}) PetscCall(VecDestroy(vector));
  PetscCall(MatDestroy(&energy.matrix));
  PetscCall(DMDestroy(&grid));
  PetscFunctionReturn(0);
}

}  // namespace
}  // namespace silt::bench

int main(int argc, char** argv) {
  using namespace silt::bench;
  PeerTask task(argc, argv);
  if (task.options.empty()) task.options = usual_options;
  return petsc_main(task, argv, run);
}

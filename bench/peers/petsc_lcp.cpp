// PETSc's TAO: the least of x.Ax / 2 - b.x over x >= 0. METHOD: gpcg or tron. OPTIONS: PETSc's own.

#include <petsctao.h>

#include "petsc_grid.h"

namespace silt::bench {
namespace {

/// Found by trying: see docs/validation/lcp.md.
std::string usual_options(const BoxProblem&) {
  return "-ksp_rtol 0.1 -pc_type bjacobi -sub_pc_type icc";
}

PetscErrorCode energy_and_gradient(Tao, Vec x, double* energy, Vec gradient, void* context) {
  PetscFunctionBeginUser;
  const GridSystem& of = *static_cast<const GridSystem*>(context);
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

struct Bounds {
  Vec lowest, highest;
};

/// One solve with a solver of its own, to a projected gradient of `stop`.
PetscErrorCode solve(const PeerTask& task, double stop, const Bounds& bounds, GridSystem& system, Stopwatch& watch,
                     PetscInt* iterations) {
  PetscFunctionBeginUser;
  Tao solver;
  PetscCall(TaoCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(TaoSetType(solver, task.method == "gpcg" ? TAOGPCG : TAOTRON));
  PetscCall(TaoSetSolution(solver, system.x));
  PetscCall(TaoSetVariableBounds(solver, bounds.lowest, bounds.highest));
  PetscCall(TaoSetObjectiveAndGradient(solver, nullptr, energy_and_gradient, &system));
  PetscCall(TaoSetHessian(solver, system.matrix, system.matrix, hessian, nullptr));
  PetscCall(TaoSetTolerances(solver, stop, 0, 0));
  PetscCall(TaoSetMaximumIterations(solver, 10000));
  PetscCall(TaoSetMaximumFunctionEvaluations(solver, 100000));
  PetscCall(TaoSetFromOptions(solver));
  PetscCall(TaoSetUp(solver));
  watch.set_up_done();
  PetscCall(TaoSolve(solver));
  watch.stop();
  PetscCall(TaoGetLinearSolveIterations(solver, iterations));
  PetscCall(TaoDestroy(&solver));
  PetscFunctionReturn(0);
}

PetscErrorCode run(const PeerTask& task) {
  PetscFunctionBeginUser;
  const double start = wall_seconds();
  GridSystem system;
  Bounds bounds;
  PetscCall(make_grid(task.box.n, &system.grid));
  PetscCall(assemble_system([&](int i, int j, int k) { return task.box.bounded_load(task.load, i, j, k); }, &system));
  PetscCall(MatSetOption(system.matrix, MAT_SPD, PETSC_TRUE));
  for (Vec* bound : {&bounds.lowest, &bounds.highest}) PetscCall(VecDuplicate(system.x, bound));
  PetscCall(VecSet(bounds.lowest, 0));
  PetscCall(VecSet(bounds.highest, PETSC_INFINITY));
  double size;
  PetscCall(VecNorm(system.b, NORM_2, &size));
  PetscCall(solve_system(task, start, &system, [&](Stopwatch& watch, PetscInt* iterations) {
    return solve(task, task.tolerance * size, bounds, system, watch, iterations);
  }));
  for (Vec* bound : {&bounds.lowest, &bounds.highest}) PetscCall(VecDestroy(bound));
  PetscFunctionReturn(0);
}

}  // namespace
}  // namespace silt::bench

int main(int argc, char** argv) {
  using namespace silt::bench;
  return petsc_main(argc, argv, usual_options, run);
}

// PETSc: conjugate gradients with geometric multigrid on a DMDA. METHOD: mg. OPTIONS: PETSc's own.

#include <petscksp.h>

#include "petsc_grid.h"

namespace silt::bench {
namespace {

/// Found by trying: see docs/validation/poisson.md. A level of two cells has one for each rank.
std::string usual_options(const BoxProblem& box) {
  int levels = 1;
  for (int n = box.n; n % 2 == 0 && n > 4; n /= 2) ++levels;
  return "-ksp_type cg -pc_type mg -pc_mg_cycle_type w -mg_levels_ksp_type richardson -mg_levels_ksp_max_it 1 "
         "-mg_levels_pc_type sor -pc_mg_levels " +
         std::to_string(levels);
}

/// A coarse level's matrix, discretised anew.
PetscErrorCode assemble_level(KSP, Mat matrix, Mat same, void* context) {
  PetscFunctionBeginUser;
  DM grid;
  DMDALocalInfo info;
  PetscCall(MatGetDM(same, &grid));
  PetscCall(DMDAGetLocalInfo(grid, &info));
  PetscCall(assemble_box(grid, double(static_cast<const PeerTask*>(context)->box.n) / info.mx, matrix));
  PetscFunctionReturn(0);
}

/// One solve with a solver of its own.
PetscErrorCode solve(const PeerTask& task, const GridSystem& system, Stopwatch& watch, PetscInt* iterations) {
  PetscFunctionBeginUser;
  KSP solver;
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
  PetscCall(KSPSetDM(solver, system.grid));
  PetscCall(KSPSetDMActive(solver, PETSC_FALSE));  // of the finest level the matrix is there
  PetscCall(KSPSetOperators(solver, system.matrix, system.matrix));
  PetscCall(KSPSetNormType(solver, KSP_NORM_UNPRECONDITIONED));
  PetscCall(KSPSetTolerances(solver, task.tolerance, 1e-300, 1e10, 10000));
  PetscCall(KSPSetFromOptions(solver));
  PetscCall(KSPSetUp(solver));
  watch.set_up_done();
  PetscCall(KSPSolve(solver, system.b, system.x));
  watch.stop();
  PetscCall(KSPGetIterationNumber(solver, iterations));
  PetscCall(KSPDestroy(&solver));
  PetscFunctionReturn(0);
}

PetscErrorCode run(const PeerTask& task) {
  PetscFunctionBeginUser;
  const double start = wall_seconds();
  GridSystem system;
  PetscCall(make_grid(task.box.n, &system.grid));
  PetscCall(DMDASetInterpolationType(system.grid, DMDA_Q0));  // values stand in the middle of cells
  PetscCall(DMKSPSetComputeOperators(system.grid, assemble_level, const_cast<PeerTask*>(&task)));
  PetscCall(assemble_system([&](int i, int j, int k) { return task.box.load(task.load, i, j, k); }, &system));
  PetscCall(solve_system(task, start, &system, [&](Stopwatch& watch, PetscInt* iterations) {
    return solve(task, system, watch, iterations);
  }));
  PetscFunctionReturn(0);
}

}  // namespace
}  // namespace silt::bench

int main(int argc, char** argv) {
  using namespace silt::bench;
  return petsc_main(argc, argv, usual_options, run);
}

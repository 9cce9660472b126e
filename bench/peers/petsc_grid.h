#pragma once

#include <petscdmda.h>

#include "mpi_peer.h"

// What the peers of PETSc share.

namespace silt::bench {

/// One value a cell on n^3 cells, in parts that PETSc chooses.
inline PetscErrorCode make_grid(int n, DM* grid) {
  PetscFunctionBeginUser;
  constexpr auto none = DM_BOUNDARY_NONE;
  PetscCall(DMDACreate3d(PETSC_COMM_WORLD, none, none, none, DMDA_STENCIL_STAR, n, n, n, PETSC_DECIDE, PETSC_DECIDE,
                         PETSC_DECIDE, 1, 1, nullptr, nullptr, nullptr, grid));
  PetscCall(DMSetFromOptions(*grid));
  PetscCall(DMSetUp(*grid));
  PetscFunctionReturn(0);
}

inline PetscErrorCode part_of(DM grid, Part* part) {
  PetscFunctionBeginUser;
  DMDALocalInfo info;
  PetscCall(DMDAGetLocalInfo(grid, &info));
  *part = {{info.xs, info.ys, info.zs}, {info.xs + info.xm, info.ys + info.ym, info.zs + info.zm}};
  PetscFunctionReturn(0);
}

/// Vector and file: a rank's values stand in the same order in both.
template <class F>
PetscErrorCode fill(DM grid, Vec vector, const F& f) {
  PetscFunctionBeginUser;
  Part part;
  double* values;
  PetscCall(part_of(grid, &part));
  PetscCall(VecGetArrayWrite(vector, &values));
  part.fill(values, f);
  PetscCall(VecRestoreArrayWrite(vector, &values));
  PetscFunctionReturn(0);
}
inline PetscErrorCode write_answer(const PeerTask& task, DM grid, Vec x) {
  PetscFunctionBeginUser;
  Part part;
  const double* values;
  PetscCall(part_of(grid, &part));
  PetscCall(VecGetArrayRead(x, &values));
  write_part(task.answer, task.box, part, values);
  PetscCall(VecRestoreArrayRead(x, &values));
  PetscFunctionReturn(0);
}

/// The matrix of the box in cells of the given side. Coarse cells, of multigrid, have the sum of their fine cells'
/// fluxes: side^2 of area over a distance of side is a weight of side. The zero beyond the open side is half a unit
/// away from it on every level.
inline PetscErrorCode assemble_box(DM grid, double side, Mat matrix) {
  PetscFunctionBeginUser;
  DMDALocalInfo info;
  Part part;
  PetscCall(DMDAGetLocalInfo(grid, &info));
  PetscCall(part_of(grid, &part));
  const BoxProblem box{info.mx};
  const double beyond = side * side / (0.5 * side + 0.5);
  PetscErrorCode error = 0;
  part.for_each([&](int i, int j, int k) {
    const MatStencil row{k, j, i, 0};
    MatStencil columns[7] = {row};
    double values[7] = {k == box.n - 1 ? beyond : 0};
    int count = 1;
    box.for_each_neighbour(i, j, k, [&](int axis, int step) {
      columns[count] = row;
      (axis == 0 ? columns[count].i : axis == 1 ? columns[count].j : columns[count].k) += step;
      values[0] += side;
      values[count++] = -side;
    });
    if (!error) error = MatSetValuesStencil(matrix, 1, &row, count, columns, values, INSERT_VALUES);
  });
  PetscCall(error);
  PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/// A x = b on a grid.
struct GridSystem {
  DM grid;
  Mat matrix;
  Vec x, b;
};

/// Of the box, on a grid that has been made.
template <class F>
PetscErrorCode assemble_system(const F& load, GridSystem* system) {
  PetscFunctionBeginUser;
  PetscCall(DMCreateMatrix(system->grid, &system->matrix));
  PetscCall(MatSetOption(system->matrix, MAT_SYMMETRIC, PETSC_TRUE));
  PetscCall(assemble_box(system->grid, 1, system->matrix));
  PetscCall(DMCreateGlobalVector(system->grid, &system->x));
  PetscCall(VecDuplicate(system->x, &system->b));
  PetscCall(fill(system->grid, system->b, load));
  PetscFunctionReturn(0);
}

/// Runs `attempt(watch, &iterations)` from x = 0 as often as asked for, writes the last answer and frees the system.
template <class Attempt>
PetscErrorCode solve_system(const PeerTask& task, double assembly_start, GridSystem* system, const Attempt& attempt) {
  PetscFunctionBeginUser;
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "assembly %.6f\n", wall_seconds() - assembly_start));
  for (int repeat = 0; repeat < task.repeats; ++repeat) {
    PetscInt iterations = 0;
    PetscCall(VecSet(system->x, 0));
    Stopwatch watch;
    PetscCall(attempt(watch, &iterations));
    watch.print(int(iterations));
  }
  PetscCall(write_answer(task, system->grid, system->x));
  PetscCall(VecDestroy(&system->x));
  PetscCall(VecDestroy(&system->b));
  PetscCall(MatDestroy(&system->matrix));
  PetscCall(DMDestroy(&system->grid));
  PetscFunctionReturn(0);
}

/// What every program of PETSc's begins and ends with. `usual(box)`: the options where the task names none.
template <class Usual, class Run>
int petsc_main(int argc, char** argv, const Usual& usual, const Run& run) {
  PeerTask task(argc, argv);
  if (task.options.empty()) task.options = usual(task.box);
  int none = 1;  // the options come with the task
  PetscCall(PetscInitialize(&none, &argv, nullptr, nullptr));
  PetscCall(PetscOptionsInsertString(nullptr, task.options.c_str()));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "library PETSc %d.%d.%d\noptions %s\n", PETSC_VERSION_MAJOR,
                        PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR, task.options.c_str()));
  PetscCall(run(task));
  PetscCall(PetscFinalize());
  return 0;
}

}  // namespace silt::bench

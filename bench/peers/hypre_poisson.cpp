// hypre: conjugate gradients with PFMG on the structured interface or BoomerAMG on a matrix of rows. METHOD: pfmg or
// boomeramg. OPTIONS are words NAME=NUMBER.

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <HYPRE_struct_ls.h>

#include <functional>
#include <map>
#include <sstream>

#include "mpi_peer.h"

namespace silt::bench {
namespace {

// Found by trying: see docs/validation/poisson.md.
constexpr const char* usual_pfmg = "relax=2 rap=1 pre=1 post=1 skip=1";
constexpr const char* usual_boomeramg =
    "coarsen=10 interp=6 relax=6 aggressive=1 max_elements=4 keep_transpose=1 mod_rap2=1";

void check(int error) {
  if (error == 0) return;
  char text[256];
  HYPRE_DescribeError(error, text);
  throw std::runtime_error(text);
}

class Choices {
 public:
  explicit Choices(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;)
      values_[word.substr(0, word.find('='))] = std::stod(word.substr(word.find('=') + 1));
  }
  /// Sets a number of the solver where one was chosen.
  template <class Solver, class Number>
  void set(Solver solver, const char* name, int (*setter)(Solver, Number)) const {
    if (const auto at = values_.find(name); at != values_.end()) check(setter(solver, Number(at->second)));
  }

 private:
  std::map<std::string, double> values_;
};

void run_pfmg(const PeerTask& task) {
  const double start = wall_seconds();
  const Part part = layers(task.box, mpi_rank(), mpi_ranks());
  int lo[3] = {part.lo[0], part.lo[1], part.lo[2]}, hi[3] = {part.hi[0] - 1, part.hi[1] - 1, part.hi[2] - 1};
  HYPRE_StructGrid grid;
  check(HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid));
  check(HYPRE_StructGridSetExtents(grid, lo, hi));
  check(HYPRE_StructGridAssemble(grid));

  // Symmetric: the diagonal and the couplings to one side.
  HYPRE_StructStencil stencil;
  check(HYPRE_StructStencilCreate(3, 4, &stencil));
  int offsets[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int entry = 0; entry < 4; ++entry) check(HYPRE_StructStencilSetElement(stencil, entry, offsets[entry]));
  HYPRE_StructMatrix matrix;
  check(HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &matrix));
  check(HYPRE_StructMatrixSetSymmetric(matrix, 1));
  check(HYPRE_StructMatrixInitialize(matrix));
  std::vector<double> values(4 * part.count());
  double* at = values.data();
  part.for_each([&](int i, int j, int k) {
    at[0] = task.box.diagonal(i, j, k);
    task.box.for_each_neighbour(i, j, k, [&](int axis, int step) {
      if (step > 0) at[1 + axis] = -1;
    });
    at += 4;
  });
  int entries[4] = {0, 1, 2, 3};
  check(HYPRE_StructMatrixSetBoxValues(matrix, lo, hi, 4, entries, values.data()));
  check(HYPRE_StructMatrixAssemble(matrix));

  HYPRE_StructVector x, b;
  for (HYPRE_StructVector* v : {&x, &b}) {
    check(HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, v));
    check(HYPRE_StructVectorInitialize(*v));
  }
  values.resize(part.count());
  part.fill(values.data(), [&](int i, int j, int k) { return task.box.load(task.load, i, j, k); });
  check(HYPRE_StructVectorSetBoxValues(b, lo, hi, values.data()));
  check(HYPRE_StructVectorAssemble(b));
  check(HYPRE_StructVectorAssemble(x));
  if (mpi_rank() == 0) std::printf("assembly %.6f\n", wall_seconds() - start);

  const Choices choices(task.options);
  for (int repeat = 0; repeat < task.repeats; ++repeat) {
    check(HYPRE_StructVectorSetConstantValues(x, 0));
    Stopwatch watch;
    HYPRE_StructSolver cg, pfmg;
    check(HYPRE_StructPCGCreate(MPI_COMM_WORLD, &cg));
    check(HYPRE_StructPCGSetTol(cg, task.tolerance));
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
    check(HYPRE_StructPCGSetup(cg, matrix, b, x));
    watch.set_up_done();
    check(HYPRE_StructPCGSolve(cg, matrix, b, x));
    int iterations = 0;
    check(HYPRE_StructPCGGetNumIterations(cg, &iterations));
    watch.solve_done(iterations);
    check(HYPRE_StructPCGDestroy(cg));
    check(HYPRE_StructPFMGDestroy(pfmg));
  }
  check(HYPRE_StructVectorGetBoxValues(x, lo, hi, values.data()));
  write_part(task.answer, task.box, part, values.data());
  check(HYPRE_StructMatrixDestroy(matrix));
  check(HYPRE_StructVectorDestroy(x));
  check(HYPRE_StructVectorDestroy(b));
  check(HYPRE_StructStencilDestroy(stencil));
  check(HYPRE_StructGridDestroy(grid));
}

void run_boomeramg(const PeerTask& task) {
  const double start = wall_seconds();
  const BoxProblem& box = task.box;
  const Part part = layers(box, mpi_rank(), mpi_ranks());
  const int first = int(box.row(0, 0, part.lo[2])), last = int(box.row(0, 0, part.hi[2])) - 1;
  HYPRE_IJMatrix rows;
  check(HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &rows));
  check(HYPRE_IJMatrixSetObjectType(rows, HYPRE_PARCSR));
  const std::vector<int> room(part.count(), 7);
  check(HYPRE_IJMatrixSetRowSizes(rows, room.data()));
  check(HYPRE_IJMatrixInitialize(rows));
  const int strides[3] = {1, box.n, box.n * box.n};
  part.for_each([&](int i, int j, int k) {
    const int row = int(box.row(i, j, k));
    int columns[7] = {row}, count = 1;
    double values[7] = {double(box.diagonal(i, j, k))};
    box.for_each_neighbour(i, j, k, [&](int axis, int step) {
      columns[count] = row + step * strides[axis];
      values[count++] = -1;
    });
    check(HYPRE_IJMatrixSetValues(rows, 1, &count, &row, columns, values));
  });
  check(HYPRE_IJMatrixAssemble(rows));

  HYPRE_IJVector x_rows, b_rows;
  std::vector<int> indices(part.count());
  for (std::size_t c = 0; c < indices.size(); ++c) indices[c] = first + int(c);
  std::vector<double> values(part.count());
  part.fill(values.data(), [&](int i, int j, int k) { return box.load(task.load, i, j, k); });
  for (HYPRE_IJVector* v : {&x_rows, &b_rows}) {
    check(HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, v));
    check(HYPRE_IJVectorSetObjectType(*v, HYPRE_PARCSR));
    check(HYPRE_IJVectorInitialize(*v));
    check(HYPRE_IJVectorSetValues(*v, int(indices.size()), indices.data(), values.data()));
    check(HYPRE_IJVectorAssemble(*v));
  }
  HYPRE_ParCSRMatrix matrix;
  HYPRE_ParVector x, b;
  check(HYPRE_IJMatrixGetObject(rows, reinterpret_cast<void**>(&matrix)));
  check(HYPRE_IJVectorGetObject(x_rows, reinterpret_cast<void**>(&x)));
  check(HYPRE_IJVectorGetObject(b_rows, reinterpret_cast<void**>(&b)));
  if (mpi_rank() == 0) std::printf("assembly %.6f\n", wall_seconds() - start);

  const Choices choices(task.options);
  for (int repeat = 0; repeat < task.repeats; ++repeat) {
    check(HYPRE_ParVectorSetConstantValues(x, 0));
    Stopwatch watch;
    HYPRE_Solver cg, amg;
    check(HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg));
    check(HYPRE_PCGSetTol(cg, task.tolerance));
    check(HYPRE_PCGSetTwoNorm(cg, 1));
    check(HYPRE_PCGSetMaxIter(cg, 10000));
    check(HYPRE_BoomerAMGCreate(&amg));
    check(HYPRE_BoomerAMGSetTol(amg, 0));
    check(HYPRE_BoomerAMGSetMaxIter(amg, 1));
    check(HYPRE_BoomerAMGSetPrintLevel(amg, 0));
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
    check(HYPRE_PCGSetPrecond(cg, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                              reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), amg));
    check(HYPRE_ParCSRPCGSetup(cg, matrix, b, x));
    watch.set_up_done();
    check(HYPRE_ParCSRPCGSolve(cg, matrix, b, x));
    int iterations = 0;
    check(HYPRE_PCGGetNumIterations(cg, &iterations));
    watch.solve_done(iterations);
    check(HYPRE_ParCSRPCGDestroy(cg));
    check(HYPRE_BoomerAMGDestroy(amg));
  }
  check(HYPRE_IJVectorGetValues(x_rows, int(indices.size()), indices.data(), values.data()));
  write_part(task.answer, box, part, values.data());
  check(HYPRE_IJMatrixDestroy(rows));
  check(HYPRE_IJVectorDestroy(x_rows));
  check(HYPRE_IJVectorDestroy(b_rows));
}

}  // namespace
}  // namespace silt::bench

int main(int argc, char** argv) {
  using namespace silt::bench;
  PeerTask task(argc, argv);
  const bool structured = task.method == "pfmg";
  if (task.options.empty()) task.options = structured ? usual_pfmg : usual_boomeramg;
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  if (mpi_rank() == 0) std::printf("library hypre %s\noptions %s\n", HYPRE_RELEASE_VERSION, task.options.c_str());
  if (structured)
    run_pfmg(task);
  else
    run_boomeramg(task);
  HYPRE_Finalize();
  MPI_Finalize();
  return 0;
}

// Eigen: conjugate gradients with incomplete Cholesky. METHOD: ic. OPTIONS: natural or amd, the order of the rows.

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include "peer.h"

namespace silt::bench {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;  // the order whose products run on several threads
using Vector = Eigen::VectorXd;

Matrix assemble(const BoxProblem& box) {
  Matrix matrix(box.cells(), box.cells());
  matrix.reserve(Eigen::VectorXi::Constant(box.cells(), 7));
  const std::int64_t strides[3] = {1, box.n, std::int64_t(box.n) * box.n};
  layers(box, 0, 1).for_each([&](int i, int j, int k) {
    const std::int64_t row = box.row(i, j, k);
    matrix.insert(row, row) = box.diagonal(i, j, k);
    box.for_each_neighbour(i, j, k, [&](int axis, int step) { matrix.insert(row, row + step * strides[axis]) = -1; });
  });
  matrix.makeCompressed();
  return matrix;
}

template <class Order>
void run(const PeerTask& task) {
  const double start = wall_seconds();
  const Matrix matrix = assemble(task.box);
  Vector b(task.box.cells()), x;
  const Part all = layers(task.box, 0, 1);
  all.fill(b.data(), [&](int i, int j, int k) { return task.box.load(task.load, i, j, k); });
  std::printf("assembly %.6f\n", wall_seconds() - start);
  for (int repeat = 0; repeat < task.repeats; ++repeat) {
    const double begin = wall_seconds(), cpu = cpu_seconds();
    Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper,
                             Eigen::IncompleteCholesky<double, Eigen::Lower, Order>>
        solver;
    solver.setTolerance(task.tolerance);
    solver.setMaxIterations(10000);
    solver.compute(matrix);
    const double middle = wall_seconds();
    x = solver.solve(b);
    print_attempt({middle - begin, wall_seconds() - middle, cpu_seconds() - cpu, int(solver.iterations())});
  }
  write_part(task.answer, task.box, all, x.data());
}

}  // namespace
}  // namespace silt::bench

int main(int argc, char** argv) {
  using namespace silt::bench;
  PeerTask task(argc, argv);
  if (task.options.empty()) task.options = "natural";
  std::printf("library Eigen %d.%d.%d\noptions %s\n", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION,
              task.options.c_str());
  if (task.options == "amd")
    run<Eigen::AMDOrdering<int>>(task);
  else
    run<Eigen::NaturalOrdering<int>>(task);
  return 0;
}

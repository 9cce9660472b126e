#include "silt/solve/coarsest.h"

#include "silt/core/loops.h"
#include "silt/solve/coarsest_inverse.h"

namespace silt {

namespace {

struct DenseProduct {
  int n;
  const int* unknown;
  const float *matrix, *b;
  float* x;
  SILT_HD void operator()(std::int64_t row) const {
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += matrix[row * n + j] * b[unknown[j]];
    x[unknown[row]] = sum;
  }
};

}  // namespace

void CoarsestSolver::prepare(const Level& level) {
  const std::vector<int> unknown = unknowns_of(level);
  const std::vector<double> inverse = inverse_of(level, unknown);
  unknown_ = Buffer<int>(unknown.size());
  inverse_ = Buffer<float>(inverse.size());
  std::copy(unknown.begin(), unknown.end(), unknown_.host());
  for (std::size_t i = 0; i < inverse.size(); ++i) inverse_.host()[i] = float(inverse[i]);
}

void CoarsestSolver::solve(const Exec& exec, Level& level) const {
  const int n = int(unknown_.size());
  for_each_index(exec, "multigrid.coarsest", n,
                 DenseProduct{n, unknown_.read(exec), inverse_.read(exec), level.b.values().read(exec),
                              level.x.values().update(exec)},
                 n);
}

}  // namespace silt

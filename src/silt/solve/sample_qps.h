#pragma once

#include "silt/solve/dense_cone_form.h"
#include "silt/solve/dense_form.h"

namespace silt {

/// Bounded quadratic programs whose answers are known, for tests and experiments.
struct SampleQp {
  std::vector<double> a, b, lower, upper;

  std::size_t size() const { return b.size(); }
  DenseForm form() const { return {a, b, lower, upper}; }
};

/// The number-th random program: 1 to 12 unknowns, eigenvalues over four decades; each unknown free, bounded below,
/// above, on both sides, or held, so that all patterns come up.
SampleQp random_qp(unsigned number);

/// Its minimum, found by trying every choice of active bounds.
std::vector<double> solve_by_enumeration(const SampleQp& qp);

/// A quadratic program with a cone for each block of unknowns.
struct SampleConeQp {
  std::vector<double> a, b;
  std::vector<int> sizes;
  std::vector<Cone> cones;

  std::size_t size() const { return b.size(); }
  DenseConeForm form() const { return {a, b, sizes, cones}; }
};

/// The number-th random program: 1 to 3 blocks of 2 to 7 unknowns, some with cohesion, some with a limit on tension.
SampleConeQp random_cone_qp(unsigned number);

/// Its minimum by an interior-point method: Newton's on a logarithmic barrier, the path followed to a gap of 1e-12.
std::vector<double> solve_by_interior_points(const SampleConeQp& qp);

/// A = sum_k e_k v_k v_k^T over n random directions, the e over three decades, and a little of the unit matrix.
template <class Random>
std::vector<double> random_matrix(std::size_t n, const Random& random) {
  std::vector<double> a(n * n, 0.0), v(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double e = std::pow(10.0, 3 * random() - 2);
    for (double& c : v) c = 2 * random() - 1;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) a[i * n + j] += e * v[i] * v[j];
  }
  for (std::size_t i = 0; i < n; ++i) a[i * n + i] += 1e-2;
  return a;
}

/// Gaussian elimination with pivoting, m row by row; a row that vanishes (a null space) gets the value 0.
std::vector<double> solve_dense(std::vector<double> m, std::vector<double> b);

}  // namespace silt

#pragma once

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

/// Gaussian elimination with pivoting, m row by row; a row that vanishes (a null space) gets the value 0.
std::vector<double> solve_dense(std::vector<double> m, std::vector<double> b);

}  // namespace silt

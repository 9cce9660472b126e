#include "silt/solve/sample_qps.h"

#include <algorithm>
#include <limits>

#include "silt/core/random.h"

namespace silt {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Where one unknown of a tried answer stands.
enum class Stand : char { free, lower, upper };

/// Walks through every choice of stands that the bounds allow.
class Choices {
 public:
  explicit Choices(const SampleQp& qp) : options_(qp.size()), pick_(qp.size(), 0) {
    for (std::size_t i = 0; i < qp.size(); ++i) {
      const bool held = qp.lower[i] == qp.upper[i];
      if (!held) options_[i].push_back(Stand::free);
      if (qp.lower[i] > -infinity) options_[i].push_back(Stand::lower);
      if (qp.upper[i] < infinity && !held) options_[i].push_back(Stand::upper);
    }
  }
  Stand stand(std::size_t i) const { return options_[i][pick_[i]]; }
  bool next() {
    for (std::size_t i = 0; i < pick_.size(); ++i) {
      if (++pick_[i] < options_[i].size()) return true;
      pick_[i] = 0;
    }
    return false;
  }

 private:
  std::vector<std::vector<Stand>> options_;
  std::vector<std::size_t> pick_;
};

/// The minimum with every unknown where the choice says.
std::vector<double> solve_choice(const SampleQp& qp, const Choices& choice) {
  const std::size_t n = qp.size();
  std::vector<double> x(n, 0.0), m, rhs;
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < n; ++i) {
    if (choice.stand(i) == Stand::free)
      free.push_back(i);
    else
      x[i] = choice.stand(i) == Stand::lower ? qp.lower[i] : qp.upper[i];
  }
  for (std::size_t i : free) {
    double b = qp.b[i];
    for (std::size_t j = 0; j < n; ++j) b -= qp.a[i * n + j] * x[j];
    rhs.push_back(b);
    for (std::size_t j : free) m.push_back(qp.a[i * n + j]);
  }
  const std::vector<double> y = solve_dense(std::move(m), std::move(rhs));
  for (std::size_t k = 0; k < free.size(); ++k) x[free[k]] = y[k];
  return x;
}

/// How far an answer is from being the minimum: the worst of what leaves the bounds and of what pulls off them.
double violation(const SampleQp& qp, const Choices& choice, const std::vector<double>& x) {
  const std::size_t n = qp.size();
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double r = qp.b[i];
    for (std::size_t j = 0; j < n; ++j) r -= qp.a[i * n + j] * x[j];
    worst = std::max({worst, qp.lower[i] - x[i], x[i] - qp.upper[i]});
    if (qp.lower[i] == qp.upper[i]) continue;
    if (choice.stand(i) == Stand::lower) worst = std::max(worst, r);
    if (choice.stand(i) == Stand::upper) worst = std::max(worst, -r);
  }
  return worst;
}

}  // namespace

std::vector<double> solve_dense(std::vector<double> m, std::vector<double> b) {
  const std::size_t n = b.size();
  std::vector<std::size_t> row_of(n, n);
  std::vector<char> used(n, 0);
  for (std::size_t col = 0; col < n; ++col) {
    std::size_t pivot = n;
    for (std::size_t r = 0; r < n; ++r)
      if (!used[r] && (pivot == n || std::abs(m[r * n + col]) > std::abs(m[pivot * n + col]))) pivot = r;
    if (pivot == n || std::abs(m[pivot * n + col]) < 1e-11) continue;
    used[pivot] = 1, row_of[col] = pivot;
    for (std::size_t r = 0; r < n; ++r) {
      const double f = r == pivot ? 0 : m[r * n + col] / m[pivot * n + col];
      if (f == 0) continue;
      for (std::size_t k = col; k < n; ++k) m[r * n + k] -= f * m[pivot * n + k];
      b[r] -= f * b[pivot];
    }
  }
  std::vector<double> x(n, 0.0);
  for (std::size_t col = 0; col < n; ++col)
    if (row_of[col] < n) x[col] = b[row_of[col]] / m[row_of[col] * n + col];
  return x;
}

SampleQp random_qp(unsigned number) {
  unsigned count = 0;
  const auto random = [&] { return random_unit(101, number, count++); };
  const std::size_t n = 1 + std::size_t(random() * 12);
  SampleQp qp{{}, std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  qp.a = random_matrix(n, random);
  for (std::size_t i = 0; i < n; ++i) {
    qp.b[i] = 10 * (2 * random() - 1);
    const double low = 4 * random() - 3, width = 2 * random(), kind = random();
    const bool held = kind > 0.95, both = kind > 0.65;
    qp.lower[i] = both || (kind > 0.2 && kind <= 0.4) ? low : -infinity;
    qp.upper[i] = held ? low : both || kind > 0.4 ? low + width : infinity;
  }
  return qp;
}

std::vector<double> solve_by_enumeration(const SampleQp& qp) {
  Choices choice(qp);
  std::vector<double> best;
  double least = infinity;
  do {
    std::vector<double> x = solve_choice(qp, choice);
    const double wrong = violation(qp, choice, x);
    if (wrong < least) least = wrong, best = std::move(x);
  } while (choice.next());
  return best;
}

}  // namespace silt

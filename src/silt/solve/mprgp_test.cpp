#include "silt/solve/mprgp.h"

#include <gtest/gtest.h>
#include <algorithm>

#include "silt/core/random.h"
#include "silt/solve/sample_qps.h"

namespace silt {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Answer {
  std::vector<double> x;
  BoundedReport report;
};

Answer solve(const SampleQp& qp, const BoundedOptions& options = {1e-11, 5000}, std::vector<double> guess = {}) {
  DenseForm form = qp.form();
  guess.resize(qp.size(), 0.0);
  Answer answer{guess, {}};
  answer.report = Mprgp<DenseForm>(form).solve(form, options, answer.x);
  return answer;
}

double size_of(const std::vector<double>& x) {
  double most = 1;
  for (double v : x) most = std::max(most, std::abs(v));
  return most;
}

TEST(Mprgp, AgreesWithEnumeration) {
  int cg = 0, expansions = 0, proportionings = 0, patterns[5] = {};
  for (unsigned number = 0; number < 1000; ++number) {
    const SampleQp qp = random_qp(number);
    const std::vector<double> exact = solve_by_enumeration(qp);
    const Answer got = solve(qp);
    EXPECT_TRUE(got.report.converged) << number;
    EXPECT_FALSE(got.report.infeasible) << number;
    EXPECT_EQ(got.report.free + got.report.at_lower + got.report.at_upper, int(qp.size()));
    for (std::size_t i = 0; i < qp.size(); ++i) {
      ASSERT_NEAR(got.x[i], exact[i], 1e-6 * size_of(exact)) << "program " << number << ", unknown " << i;
      const bool low = qp.lower[i] > -infinity, high = qp.upper[i] < infinity;
      ++patterns[qp.lower[i] == qp.upper[i] ? 4 : 2 * high + low];
    }
    cg += got.report.cg, expansions += got.report.expansions, proportionings += got.report.proportionings;
  }
  // All kinds of steps and of unknowns came up.
  EXPECT_GT(cg, 1000);
  EXPECT_GT(expansions, 500);
  EXPECT_GT(proportionings, 200);
  for (int n : patterns) EXPECT_GT(n, 100);
}

TEST(Mprgp, TheEnergyNeverRises) {
  for (unsigned number = 0; number < 50; ++number) {
    const SampleQp qp = random_qp(number);
    const auto energy = [&](const std::vector<double>& x) {
      double e = 0;
      for (std::size_t i = 0; i < qp.size(); ++i) {
        e -= qp.b[i] * x[i];
        for (std::size_t j = 0; j < qp.size(); ++j) e += 0.5 * x[i] * qp.a[i * qp.size() + j] * x[j];
      }
      return e;
    };
    double before = infinity;
    for (int most = 0; most < 12; ++most) {
      const Answer got = solve(qp, {1e-11, most});
      EXPECT_LE(got.report.iterations(), most);
      const double e = energy(got.x);
      EXPECT_LE(e, before + 1e-12 * (1 + std::abs(e))) << number << " after " << most;
      before = e;
    }
  }
}

TEST(Mprgp, AWarmStartFromTheAnswerIsTheAnswer) {
  for (unsigned number = 0; number < 100; ++number) {
    const SampleQp qp = random_qp(number);
    const Answer first = solve(qp);
    const Answer again = solve(qp, {1e-10, 5000}, first.x);
    EXPECT_EQ(again.report.iterations(), 0);
    EXPECT_EQ(again.x, first.x);
  }
}

// Scaling each unknown by itself leaves the problem what it was, and the steps too.
TEST(Mprgp, IsDeafToTheSizeOfItsUnknowns) {
  for (unsigned number = 0; number < 200; ++number) {
    const SampleQp qp = random_qp(number);
    SampleQp scaled = qp;
    const std::size_t n = qp.size();
    const auto scale = [&](std::size_t i) { return std::exp2(std::floor(34 * random_unit(5, number, i) - 17)); };
    for (std::size_t i = 0; i < n; ++i) {
      scaled.b[i] *= scale(i), scaled.lower[i] /= scale(i), scaled.upper[i] /= scale(i);
      for (std::size_t j = 0; j < n; ++j) scaled.a[i * n + j] *= scale(i) * scale(j);
    }
    const Answer got = solve(qp), other = solve(scaled, {1e-14, std::max(1, got.report.iterations())});
    for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(other.x[i] * scale(i), got.x[i], 1e-6 * size_of(got.x)) << number;
  }
}

// A box, its bounds one off the other by nothing or by very little: proportioning runs into the far bound.
TEST(Mprgp, ThinBoxes) {
  for (double thin : {0.0, 1e-12, 1e-3}) {
    SampleQp qp = random_qp(17);
    for (std::size_t i = 0; i < qp.size(); ++i) qp.lower[i] = -0.1, qp.upper[i] = -0.1 + thin;
    const Answer got = solve(qp);
    EXPECT_TRUE(got.report.converged);
    const std::vector<double> exact = solve_by_enumeration(qp);
    for (std::size_t i = 0; i < qp.size(); ++i) EXPECT_NEAR(got.x[i], exact[i], 1e-9);
  }
}

/// The Laplacian of a ring of n unknowns: constants cost nothing.
SampleQp ring(int n, double push, double upper) {
  SampleQp qp{std::vector<double>(std::size_t(n) * n, 0.0), std::vector<double>(n), std::vector<double>(n, 0.0),
              std::vector<double>(n, upper)};
  for (int i = 0; i < n; ++i) {
    qp.b[i] = 2 * random_unit(3, unsigned(i), 0) - 1;
    for (int j : {(i + 1) % n, (i + n - 1) % n}) qp.a[std::size_t(i) * n + i] += 1, qp.a[std::size_t(i) * n + j] -= 1;
  }
  double sum = 0;
  for (double b : qp.b) sum += b;
  for (double& b : qp.b) b += (push - sum) / n;
  return qp;
}

TEST(Mprgp, SaysWhenThereIsNoMinimum) {
  for (int n : {3, 4, 7, 20}) {
    EXPECT_TRUE(solve(ring(n, -1, infinity)).report.converged) << n;  // the lower bounds hold it
    EXPECT_TRUE(solve(ring(n, 1, 5)).report.converged) << n;          // the upper ones do
    const Answer lost = solve(ring(n, 1, infinity));
    EXPECT_TRUE(lost.report.infeasible) << n;
    EXPECT_FALSE(lost.report.converged) << n;
    EXPECT_LT(lost.report.iterations(), 10 * n) << n;
    for (double x : lost.x) EXPECT_TRUE(std::isfinite(x));
    // On the edge: nothing pushes, any constant may be added to the answer.
    const Answer edge = solve(ring(n, 0, infinity));
    EXPECT_TRUE(edge.report.converged) << n;
  }
}

TEST(Mprgp, BadNumbersNeverReachTheAnswer) {
  for (double bad : {std::nan(""), infinity, -infinity, 1e200}) {
    SampleQp qp = random_qp(17);
    const Answer good = solve(qp, {}, std::vector<double>(qp.size(), bad));
    EXPECT_TRUE(good.report.converged);
    qp.b[0] = bad;
    const Answer got = solve(qp);
    EXPECT_FALSE(got.report.converged);
    for (std::size_t i = 0; i < qp.size(); ++i)
      EXPECT_TRUE(std::isfinite(got.x[i]) && got.x[i] >= qp.lower[i] && got.x[i] <= qp.upper[i]);
  }
}

}  // namespace
}  // namespace silt

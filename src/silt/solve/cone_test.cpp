#include "silt/solve/cone.h"

#include <gtest/gtest.h>

#include "silt/core/random.h"
#include "silt/solve/cone_solver.h"
#include "silt/solve/sample_qps.h"

namespace silt {
namespace {

ConeBlock random_block(int size, unsigned number, double scale) {
  ConeBlock b{.size = size};
  for (int k = 0; k < size; ++k) b.v[k] = scale * (2 * random_unit(7, number, unsigned(k)) - 1);
  return b;
}

double distance(const ConeBlock& a, const ConeBlock& b) {
  double sum = 0;
  for (int k = 0; k < a.size; ++k) sum += (a.v[k] - b.v[k]) * (a.v[k] - b.v[k]);
  return std::sqrt(sum);
}

Cone random_cone(unsigned number) {
  const double c = random_unit(8, number, 0) < 0.5 ? 0 : random_unit(8, number, 1);
  const double mu = 0.05 + 2 * random_unit(8, number, 2);
  return {mu, c, random_unit(8, number, 3) < 0.5 ? Cone{}.tension : random_unit(8, number, 4) * c / mu};
}

// The projection is allowed, changes nothing that is, and what it takes off points away from the whole cone:
// (x - Px) . (y - Px) <= 0 for every y inside. These three say that Px is the nearest point.
TEST(Cone, TheProjectionIsTheNearestPoint) {
  int inside = 0, side = 0, apex = 0, cut = 0;
  for (unsigned number = 0; number < 3000; ++number) {
    const Cone cone = random_cone(number);
    const int size = 2 + int(number % 6);
    const ConeBlock x = random_block(size, number, 3), px = project(cone, x);
    EXPECT_LE(excess(cone, px), 1e-14);
    EXPECT_LE(distance(project(cone, px), px), 1e-14);
    EXPECT_EQ(distance(x, px) == 0, excess(cone, x) == 0);
    for (unsigned m = 0; m < 30; ++m) {
      const ConeBlock y = project(cone, random_block(size, 10000 + 30 * number + m, 4));
      double d = 0;
      for (int k = 0; k < size; ++k) d += (x.v[k] - px.v[k]) * (y.v[k] - px.v[k]);
      ASSERT_LE(d, 1e-13) << number;
    }
    const bool at_cut = px.p() == -cone.tension, at_apex = px.shear() == 0 && !at_cut;
    ++(excess(cone, x) == 0 ? inside : at_cut ? cut : at_apex ? apex : side);
  }
  for (int n : {inside, side, apex, cut}) EXPECT_GT(n, 50);
}

TEST(Cone, KnownPoints) {
  const Cone cone{.friction = 1};
  const ConeBlock side = project(cone, {.size = 3, .v = {0, 0, 2}});
  EXPECT_NEAR(side.v[0], 1, 1e-15);
  EXPECT_NEAR(side.v[2], 1, 1e-15);
  EXPECT_EQ(project(cone, {.size = 3, .v = {-2, 0, 1}}).v[0], 0);
  // With cohesion 1 the apex is at -1; tension of 0.5 cuts where |s| may be 0.5.
  EXPECT_EQ(project({1, 1}, {.size = 2, .v = {-3, 0.1}}).v[0], -1);
  const ConeBlock cut = project({1, 1, 0.5}, {.size = 2, .v = {-3, -2}});
  EXPECT_EQ(cut.v[0], -0.5);
  EXPECT_EQ(cut.v[1], -0.5);
}

ConeReport solve(const SampleConeQp& qp, std::vector<double>& x, const ConeOptions& options = {1e-10, 100000}) {
  DenseConeForm form = qp.form();
  x.resize(qp.size(), 0.0);
  return ConeSolver<DenseConeForm>(form).solve(form, options, x);
}

double size_of(const std::vector<double>& x) {
  double most = 1;
  for (double v : x) most = std::max(most, std::abs(v));
  return most;
}

TEST(ConeSolver, AgreesWithInteriorPoints) {
  std::int64_t inside = 0, side = 0, apex = 0, iterations = 0;
  for (unsigned number = 0; number < 150; ++number) {
    const SampleConeQp qp = random_cone_qp(number);
    std::vector<double> x;
    const ConeReport report = solve(qp, x);
    EXPECT_TRUE(report.converged) << number << " " << report.kkt;
    const std::vector<double> exact = solve_by_interior_points(qp);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], exact[i], 1e-6 * size_of(exact)) << number << " " << i;
    inside += report.inside, side += report.on_side, apex += report.at_apex;
    iterations += report.iterations;
  }
  for (std::int64_t n : {inside, side, apex}) EXPECT_GT(n, 10);
  EXPECT_LT(iterations, 150 * 500);  // 3300 each without restarts
}

TEST(ConeSolver, AWarmStartFromTheAnswerIsTheAnswer) {
  for (unsigned number = 0; number < 30; ++number) {
    const SampleConeQp qp = random_cone_qp(number);
    std::vector<double> x;
    solve(qp, x);
    const std::vector<double> answer = x;
    EXPECT_EQ(solve(qp, x, {1e-9, 1000}).iterations, 0);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], answer[i], 1e-14 * size_of(answer));
  }
}

/// Two blocks (p, s) that resist only their difference.
SampleConeQp tied(double push) {
  SampleConeQp qp{
      {1, 0, -1, 0, 0, 1, 0, -1, -1, 0, 1, 0, 0, -1, 0, 1}, {0.4 + push, 0.1, -0.4, -0.1}, {2, 2}, {{}, {}}};
  return qp;
}

TEST(ConeSolver, SaysWhenThereIsNoMinimum) {
  std::vector<double> x;
  EXPECT_TRUE(solve(tied(-0.2), x).converged);
  x.clear();
  const ConeReport lost = solve(tied(0.2), x);
  EXPECT_TRUE(lost.infeasible);
  EXPECT_FALSE(lost.converged);
  EXPECT_LT(lost.iterations, 5000);
  for (double v : x) EXPECT_TRUE(std::isfinite(v));
}

TEST(ConeSolver, BadNumbersNeverReachTheAnswer) {
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e200}) {
    SampleConeQp qp = random_cone_qp(3);
    std::vector<double> x(qp.size(), bad);
    EXPECT_TRUE(solve(qp, x).converged);
    qp.b[1] = bad;
    EXPECT_FALSE(solve(qp, x).converged);
    for (double v : x) EXPECT_TRUE(std::isfinite(v));
  }
}

}  // namespace
}  // namespace silt

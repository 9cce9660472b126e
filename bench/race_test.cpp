#include "bench/race.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bench/box_system.h"
#include "silt/core/error.h"
#include "silt/solve/poisson_solver.h"

namespace silt::bench {
namespace {

/// Answers with its own tolerance times `sloppiness`, in so many seconds.
Race::Runner runner(double sloppiness, double seconds) {
  return [=](double tolerance, int repeats) {
    PeerAnswer answer{.library = "test 1"};
    for (int i = 0; i < repeats; ++i) answer.attempts.push_back({0.25 * seconds, (0.75 + i) * seconds, 0, 1});
    answer.x = {sloppiness * tolerance};
    return answer;
  };
}
double first(const std::vector<double>& x) {
  return x[0];
}

// Nobody wins by a worse answer: a tolerance is tightened as far as needed, in steps of a fifth, and no further.
TEST(Race, TightensUntilTheAnswerIsGoodEnough) {
  Race race("test", first, 1e-6);
  race.enter("exact", runner(1, 1));
  race.enter("sloppy", runner(1.5, 4));
  race.enter("hopeless", runner(1e9, 1));
  race.run(false);
  EXPECT_EQ(race.row("exact").tolerance, 1e-6);
  EXPECT_NEAR(race.row("sloppy").tolerance, 0.64e-6, 1e-12);
  EXPECT_LE(race.row("sloppy").error, 1e-6);
  EXPECT_EQ(race.times_as_fast("exact", {"sloppy"}), 4);
  EXPECT_TRUE(std::isnan(race.times_as_fast("exact", {"sloppy", "hopeless"})));
  EXPECT_TRUE(std::isnan(race.times_as_fast("hopeless", {"exact"})));
  EXPECT_NE(race.table("exact").find("WRONG ANSWER"), std::string::npos);
}

TEST(Race, SaysWhoDidNotRunAndWhy) {
  Race race("test", first, 1e-6);
  race.enter("ours", runner(1, 1));
  race.enter(Peer{"theirs", "no_such_program", "fast", true, "libtheirs-dev"}, 2, {4}, Load::smooth);
  race.enter("broken", [](double, int) -> PeerAnswer { throw Error("out of order"); });
  race.run(true);
  EXPECT_EQ(race.absent({"ours"}), "");
  EXPECT_EQ(race.absent({"theirs", "ours", "broken"}), "theirs needs libtheirs-dev, broken out of order");
  EXPECT_TRUE(std::isnan(race.times_as_fast("ours", {"theirs"})));
  EXPECT_NE(race.table("ours").find("theirs: needs libtheirs-dev"), std::string::npos);
}

// The peers' matrix, written for them in box_problem.h, and silt's operator on the same box are the same.
TEST(BoxSystem, IsTheProblemOfThePeers) {
  const Exec exec(Device::cpu, 1);
  const BoxProblem box{9};
  const BoxSystem system(exec, box);
  const PoissonOperator op(exec, system.domain, system.weights);
  for (const Load load : {Load::smooth, Load::random}) {
    const auto b = [&](int i, int j, int k) { return box.load(load, i, j, k); };
    Field<double> x = system.field([](int i, int j, int k) { return std::sin(i + 2.0 * j + 3.0 * k * k); });
    const Field<double> rhs = system.field(b);
    Field<double> r(system.layout);
    const double r2 = op.residual(exec, x, rhs, r);
    double b2 = 0;
    for (const double value : system.values(rhs)) b2 += value * value;
    EXPECT_NEAR(residual(box, load, system.values(x)), std::sqrt(r2 / b2), 1e-12 * std::sqrt(r2 / b2));
  }
}

// On one cell below the open side A = 1, so x = max(b, 0).
TEST(Complementarity, HasSignsAndBounds) {
  const BoxProblem box{1};
  const double b = box.bounded_load(Load::smooth, 0, 0, 0);
  ASSERT_LT(b, 0);
  EXPECT_EQ(complementarity(box, Load::smooth, {0}).kkt, 0);
  EXPECT_EQ(complementarity(box, Load::smooth, {0}).active, 1);
  EXPECT_NEAR(complementarity(box, Load::smooth, {-b}).kkt, 2, 1e-15);   // pulls at what it may let go
  EXPECT_TRUE(std::isinf(complementarity(box, Load::smooth, {b}).kkt));  // solves A x = b, but is negative
  const double up = box.bounded_load(Load::random, 0, 0, 0);
  ASSERT_NE(up, 0);
  EXPECT_EQ(complementarity(box, Load::random, {0}).kkt, up > 0 ? 1 : 0);
}

}  // namespace
}  // namespace silt::bench

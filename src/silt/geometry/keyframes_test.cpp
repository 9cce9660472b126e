#include "silt/geometry/keyframes.h"

#include <gtest/gtest.h>

namespace silt {
namespace {

const std::vector<Animated<double>::Key> keys{{1, 0}, {2, 4}, {4, 2}};

TEST(Keyframes, EveryKindPassesThroughItsKeysAndHoldsOutside) {
  for (Between between : {Between::linear, Between::smooth, Between::step}) {
    const Animated<double> a(keys, between);
    for (auto [t, v] : keys) EXPECT_DOUBLE_EQ(a(t), v);
    EXPECT_DOUBLE_EQ(a(-10), 0);
    EXPECT_DOUBLE_EQ(a(99), 2);
    EXPECT_DOUBLE_EQ(a.rate(-10), 0);
    EXPECT_DOUBLE_EQ(a.rate(99), 0);
  }
  EXPECT_DOUBLE_EQ(Animated<double>(keys, Between::linear)(1.25), 1);
  EXPECT_DOUBLE_EQ(Animated<double>(keys, Between::step)(1.99), 0);
}

TEST(Keyframes, RateIsTheDerivative) {
  for (Between between : {Between::linear, Between::smooth}) {
    const Animated<double> a(keys, between);
    for (double t : {1.1, 1.5, 1.9, 2.3, 3.7}) {
      const double e = 1e-6;
      EXPECT_NEAR(a.rate(t), (a(t + e) - a(t - e)) / (2 * e), 1e-6) << t;
    }
  }
}

TEST(Keyframes, SmoothHasNoKinkAtAKey) {
  const Animated<double> a(keys, Between::smooth);
  EXPECT_NEAR(a.rate(2 - 1e-9), a.rate(2 + 1e-9), 1e-6);
}

TEST(Keyframes, SmoothStaysBetweenItsKeys) {
  const Animated<double> a({{0, 0}, {0.4, 0}, {0.5, 1000}, {3, 900}, {3.1, -5}, {4, -6}}, Between::smooth);
  for (std::size_t i = 0; i + 1 < a.keys().size(); ++i) {
    const auto [t0, v0] = a.keys()[i];
    const auto [t1, v1] = a.keys()[i + 1];
    for (double s = 0; s <= 1; s += 0.01) {
      EXPECT_GE(a(t0 + s * (t1 - t0)), std::min(v0, v1) - 1e-9) << t0 << " " << s;
      EXPECT_LE(a(t0 + s * (t1 - t0)), std::max(v0, v1) + 1e-9) << t0 << " " << s;
    }
  }
}

TEST(Keyframes, BooleansSwitchAtTheirKeys) {
  const Animated<bool> on(std::vector<Animated<bool>::Key>{{0, false}, {1, true}, {2, false}}, Between::step);
  EXPECT_FALSE(on(0.5));
  EXPECT_TRUE(on(1.0));
  EXPECT_TRUE(on(1.5));
  EXPECT_FALSE(on(2.5));
}

TEST(Keyframes, IntegralAgreesWithManySmallSteps) {
  for (Between between : {Between::linear, Between::smooth, Between::step}) {
    const Animated<double> a(keys, between);
    for (double t : {-3.0, 0.5, 1.3, 2.0, 3.3, 4.0, 9.0}) {
      double sum = 0;
      constexpr int n = 20000;
      for (int i = 0; i < n; ++i) sum += a(t * (i + 0.5) / n) * t / n;
      EXPECT_NEAR(a.integral(t), sum, 2e-3) << t;
    }
  }
  EXPECT_DOUBLE_EQ(Animated<double>(3.0).integral(2), 6);
  EXPECT_DOUBLE_EQ(Animated<double>(3.0).integral(-2), -6);
}

}  // namespace
}  // namespace silt

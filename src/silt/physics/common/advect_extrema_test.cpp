// Monotone and clamped schemes make no new extrema, whatever the flow and whatever stands at the sides.

#include <gtest/gtest.h>

#include "silt/core/random.h"
#include "silt/physics/common/advect.h"
#include "silt/physics/common/advect_test_tools.h"

namespace silt {
namespace {

using namespace test;

struct Range {
  float lo = 1e30f, hi = -1e30f;
  void include(float v) { lo = std::min(lo, v), hi = std::max(hi, v); }
};

Range range_of(const Field<float>& f, const Box& box) {
  Range r;
  for_each(box, [&](Cell c) { r.include(f(c)); });
  return r;
}

/// What a mean of values between lo and hi may round outwards by; clamped and cubic schemes not at all.
float rounding(const AdvectionOptions& scheme) {
  const bool exact =
      scheme.scheme == Advection::cubic || scheme.scheme == Advection::maccormack || scheme.scheme == Advection::bfecc;
  return exact ? 0.0f : 4e-7f;
}

void expect_within(const Field<float>& after, const Box& box, Range r, const AdvectionOptions& scheme, int n) {
  const Range now = range_of(after, box);
  const float slack = rounding(scheme);
  ASSERT_GE(now.lo, r.lo - slack) << scheme << ", field " << n;
  ASSERT_LE(now.hi, r.hi + slack) << scheme << ", field " << n;
}

// Random fields in random flows, from a tenth of a cell a step to eight; some fields are mostly zero, with spikes.
TEST(AdvectExtrema, NoneAreMadeInAThousandRandomFields) {
  const std::vector<AdvectionOptions> schemes = bounded_schemes();
  for (int n = 0; n < 1000; ++n) {
    const auto draw = [n](int which) { return random_unit(77, std::uint64_t(n), std::uint64_t(which)); };
    const Int3 size{4 + int(12 * draw(0)), 4 + int(10 * draw(1)), n % 3 ? 1 : 4 + int(4 * draw(2))};
    const Int3 lo{int(20 * draw(3)) - 10, int(20 * draw(4)) - 10, 0};
    Flow flow({lo, lo + size}, 1, all_sides[n % 3], all_sides[n / 3 % 3], all_sides[n / 9 % 3]);
    flow.random_velocity(std::uint64_t(3 * n), 0.1 + (n % 5 ? 2 : 8) * draw(5));
    const double sparse = n % 4 ? 0 : 0.8;
    const HaloRule rule{n % 2 == 0, 0.5};
    const Field<float> f =
        flow.cells([&](Vec3d, Cell c) { return 0.5 + 0.5 * noise(9000, c) < sparse ? 0.0 : noise(1000 + n, c); }, rule);
    Range r = range_of(f, flow.domain.cells);
    if (!rule.open_repeats) r.include(float(rule.open_value));
    const AdvectionOptions& scheme = schemes[n % schemes.size()];
    const double dt = flow.at_most(scheme, 1);
    expect_within(flow.step(serial, scheme, dt, f, rule), flow.domain.cells, r, scheme, n);
    const MacField<float> u = flow.step_faces(serial, scheme, dt, flow.u);
    for (int a = 0; a < 3; ++a)
      if (flow.domain.lattice.active[a])
        expect_within(u[a], flow.domain.faces(a), range_of(flow.u[a], flow.domain.faces(a)), scheme, n);
    if (HasFatalFailure()) return;
  }
}

// Without the clamp the same corrections do overshoot, so that the test above can fail.
TEST(AdvectExtrema, TheClampIsWhatHoldsThem) {
  Flow flow({{0, 0, 0}, {16, 16, 1}}, 1, Side::periodic, Side::periodic, Side::wall);
  flow.random_velocity(3, 1);
  const Field<float> f = flow.cells([](Vec3d, Cell c) { return noise(4, c); });
  const Range r = range_of(f, flow.domain.cells);
  for (Advection scheme : {Advection::maccormack, Advection::bfecc}) {
    const Range free = range_of(flow.step(serial, {scheme, Tracing::rk2, false}, 1, f), flow.domain.cells);
    EXPECT_TRUE(free.lo < r.lo || free.hi > r.hi) << name_of(scheme);
  }
}

TEST(AdvectExtrema, ManyCellsAStepStayBounded) {
  for (Side side : all_sides) {
    Flow flow({{0, 0, 0}, {32, 24, 1}}, 1, side, side, Side::wall);
    flow.random_velocity(5, 5);
    for (const AdvectionOptions& scheme : bounded_schemes()) {
      Field<float> f = flow.cells([](Vec3d, Cell c) { return noise(6, c); });
      const double dt = flow.at_most(scheme, 1);
      for (int n = 0; n < 50; ++n) f = flow.step(serial, scheme, dt, f);
      for_each(flow.domain.cells, [&](Cell c) { ASSERT_LE(std::abs(f(c)), 1.00001f) << scheme << c; });
    }
  }
}

// (0, 0, 1, 101): a cubic whose slopes are only kept from the wrong sign sinks to -6.7 between 0 and 1.
TEST(AdvectExtrema, ASteepNeighbourDoesNotPullTheCubicDown) {
  for (int axis = 0; axis < 2; ++axis) {
    Flow flow({{0, 0, 0}, {4, 4, 1}}, 1, Side::open, Side::open, Side::wall);
    flow.set_velocity([&](Vec3d) { return axis == 0 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}; });
    const Field<float> f = flow.cells([&](Vec3d, Cell c) { return std::vector{0, 0, 1, 101}[c[axis]]; });
    float before = 0;
    for (double back = 0; back <= 1; back += 1.0 / 64) {
      const Field<float> after = flow.step(serial, {Advection::cubic}, 1 - back, f);
      const float v = after(axis == 0 ? Cell{2, 1, 0} : Cell{1, 2, 0});  // from between 0 and 1
      EXPECT_GE(v, before) << back;
      EXPECT_LE(v, 1);
      before = v;
    }
    EXPECT_EQ(before, 1);
  }
}

}  // namespace
}  // namespace silt

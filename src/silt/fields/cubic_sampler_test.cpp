#include "silt/fields/cubic_sampler.h"

#include <gtest/gtest.h>

#include "silt/core/random.h"
#include "silt/fields/halo.h"
#include "silt/fields/test_tools.h"

namespace silt {
namespace {

const Exec serial(Device::cpu, 1);

float cubic(const float (&p)[4], float t) {
  return MonotoneCubic::at(t)(p[0], p[1], p[2], p[3]);
}

TEST(MonotoneCubic, PassesThroughItsEnds) {
  const float p[] = {3, -1, 2, 7};
  EXPECT_EQ(cubic(p, 0), -1);
  EXPECT_EQ(cubic(p, 1), 2);
}

// Central differences are the slopes of a parabola, and a cubic through them is that parabola.
TEST(MonotoneCubic, IsExactForAParabolaThatRises) {
  const float p[] = {1, 4, 9, 16};
  for (float t = 0; t <= 1; t += 0.125f) EXPECT_NEAR(cubic(p, t), (2 + t) * (2 + t), 2e-6) << t;
}

// Limiting the sign of the slopes alone gives -6.7 here: the upper end is too steep for the rise of 1.
TEST(MonotoneCubic, ASteepNeighbourDoesNotPullItDown) {
  const float p[] = {0, 0, 1, 101};
  float before = 0;
  for (float t = 0; t <= 1; t += 1 / 64.0f) {
    EXPECT_GE(cubic(p, t), before) << t;
    before = cubic(p, t);
  }
  EXPECT_EQ(before, 1);
}

TEST(MonotoneCubic, GoesFromEndToEndWithoutTurning) {
  for (int n = 0; n < 10000; ++n) {
    float p[4];
    for (int i = 0; i < 4; ++i) {
      const double u = 2 * random_unit(1, std::uint64_t(n), std::uint64_t(i)) - 1;
      p[i] = float(n % 2 ? u : u * u * u * u * u * 100);  // neighbours of like and of very unlike size
    }
    const float lo = std::min(p[1], p[2]), hi = std::max(p[1], p[2]), way = p[2] < p[1] ? -1.0f : 1.0f;
    float before = p[1];
    for (float t = 0; t <= 1; t += 1 / 16.0f) {
      const float v = cubic(p, t);
      ASSERT_GE(v, lo);
      ASSERT_LE(v, hi);
      ASSERT_GE(way * (v - before), -1e-6f * (hi - lo)) << n << ' ' << t;
      before = v;
    }
  }
}

/// A field with its halo, and samples of it.
struct Rig {
  Domain domain;
  Field<float> f;

  template <class Value>
  Rig(const Box& cells, Side side, const Value& value) {
    const Int3 active{1, 1, cells.size().z > 1};
    domain = {{{}, 1, active}, cells, {{{side, side}, {side, side}, {side, side}}}};
    f = Field<float>(make_layout(cells, active));
    test::for_each(cells, [&](Cell c) { f.at(c) = float(value(c)); });
    fill_halo(serial, domain, cells, {}, f);
  }
  template <bool Flat>
  float at(Cell c, Displacement d) const {
    return CubicSample<Flat>::at(f.read(serial), SamplePoint::at<true>(SampleBounds::of(domain, -1), c, d));
  }
};

template <class Check>
void at_random_places(const Box& cells, float reach, const Check& check) {
  for (int n = 0; n < 2000; ++n) {
    const auto draw = [n](int i) { return random_unit(5, std::uint64_t(n), std::uint64_t(i)); };
    const Int3 size = cells.size();
    const Cell c = cells.lo + Int3{int(size.x * draw(0)), int(size.y * draw(1)), int(size.z * draw(2))};
    const auto far = [&](int i) { return reach * float(2 * draw(i) - 1); };
    check(c, Displacement{far(3), far(4), far(5)});
  }
}

TEST(CubicSample, IsExactForParaboloidsThatRise) {
  const Box cells{{1, 1, 1}, {11, 11, 11}};
  const auto value = [](double x, double y, double z) { return x * x + 2 * y * y + 0.5 * z * z; };
  const Rig rig(cells, Side::wall, [&](Cell c) { return value(c.x, c.y, c.z); });
  at_random_places(grow(cells, {-3, -3, -3}), 1, [&](Cell c, Displacement d) {
    ASSERT_NEAR(rig.at<false>(c, d), value(c.x + double(d.x), c.y + double(d.y), c.z + double(d.z)), 1e-4) << c;
  });
}

// Whatever the sides, and however far away: two layers of halo are enough.
TEST(CubicSample, StaysBetweenTheEightValuesRoundIt) {
  for (Side side : {Side::wall, Side::open, Side::periodic}) {
    const Box cells{{-2, 3, 0}, {7, 11, 6}};
    const Rig rig(cells, side, [](Cell c) { return test::noise(3, c); });
    at_random_places(cells, 5, [&](Cell c, Displacement d) {
      const SamplePoint p = SamplePoint::at<true>(SampleBounds::of(rig.domain, -1), c, d);
      const Corners corners = Corners::at(rig.f.read(serial), p);
      const float v = rig.at<false>(c, d);
      ASSERT_GE(v, corners.lowest()) << c;
      ASSERT_LE(v, corners.highest()) << c;
    });
  }
}

TEST(CubicSample, APlaneIsASliceOfSpace) {
  const auto value = [](Cell c) { return test::noise(4, {c.x, c.y, 0}); };
  const Rig plane({{0, 0, 0}, {9, 8, 1}}, Side::periodic, value), space({{0, 0, 0}, {9, 8, 5}}, Side::periodic, value);
  at_random_places({{0, 0, 0}, {9, 8, 1}}, 3, [&](Cell c, Displacement d) {
    ASSERT_EQ(plane.at<true>(c, d), space.at<false>(c, d)) << c;
    ASSERT_EQ(plane.at<true>(c, d), plane.at<false>(c, d)) << c;
  });
}

}  // namespace
}  // namespace silt

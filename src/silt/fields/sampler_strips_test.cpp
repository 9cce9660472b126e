#include <gtest/gtest.h>

#include <bit>

#include "silt/fields/field_strips.h"
#include "silt/fields/sampler.h"
#include "silt/fields/test_tools.h"

// Eight points at once are eight points one by one, to the bit.
namespace silt {
namespace {

using test::for_each;
using test::noise;

/// Displacements of a strip, by lane.
Displacement lane_of(const DisplacementOf<Lanes>& d, int l) {
  return {d.x[l], d.y[l], d.z[l]};
}

void expect_same_bits(float a, float b, Cell c, int lane) {
  EXPECT_EQ(std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b)) << c << " lane " << lane;
}

template <bool Wraps>
void compare(Side side, float reach, bool smooth) {
  const Exec serial(Device::cpu, 1);
  const Domain domain = test::unit_domain(16, 3, side);
  Field<float> f(make_layout(domain.cells, {1, 1, 1}));
  for_each(f.layout().storage(), [&](Cell c) { f.at(c) = float(noise(1, c)); });
  const SampleBounds bounds = SampleBounds::of(domain, -1);
  const View<const float> view = f.read(serial);
  for (const Cell c : {Cell{0, 0, 0}, Cell{8, 15, 3}, Cell{3, 7, 9}}) {
    DisplacementOf<Lanes> d;
    for (int l = 0; l < lane_count; ++l) {
      const Cell at = smooth ? c : Cell{c.x + l, c.y, c.z};
      d.x[l] = reach * float(noise(2, at)), d.y[l] = reach * float(noise(3, at)), d.z[l] = reach * float(noise(4, at));
    }
    const auto together = CornersOf<Lanes>::at(view, SamplePointOf<Lanes>::at<Wraps>(bounds, c, d));
    for (int l = 0; l < lane_count; ++l) {
      const auto alone = Corners::at(view, SamplePoint::at<Wraps>(bounds, {c.x + l, c.y, c.z}, lane_of(d, l)));
      expect_same_bits(together.value()[l], alone.value(), c, l);
      expect_same_bits(together.lowest()[l], alone.lowest(), c, l);
      expect_same_bits(together.highest()[l], alone.highest(), c, l);
    }
  }
}

TEST(SamplerStrips, SideBySide) {
  for (const float reach : {0.0f, 0.4f, 2.5f}) compare<false>(Side::open, reach, true);
}
TEST(SamplerStrips, ApartFromEachOther) {
  for (const float reach : {0.4f, 2.5f, 40.0f}) compare<false>(Side::wall, reach, false);
}
TEST(SamplerStrips, RoundPeriodicSides) {
  for (const bool smooth : {true, false}) compare<true>(Side::periodic, 40.0f, smooth);
}

TEST(SamplerStrips, SideBySideIsTold) {
  EXPECT_TRUE(Numbers<Lanes>::consecutive(Numbers<Lanes>::from(-3)));
  for (int l = 0; l < lane_count; ++l) {
    LaneInts n = Numbers<Lanes>::from(5);
    n[l] += 1;
    EXPECT_FALSE(Numbers<Lanes>::consecutive(n)) << l;
  }
}

}  // namespace
}  // namespace silt

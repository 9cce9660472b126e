#include "silt/render/grains.h"

#include <gtest/gtest.h>

#include "silt/fields/particles.h"

namespace silt {
namespace {

constexpr int each = 8, n = 500;

Points heap() {
  Points points;
  points.material = "sand", points.radius = 0.01f;
  for (int i = 0; i < n; ++i) points.positions.push_back({0.01 * i, 0, 0}), points.id.push_back(100 + std::uint64_t(i));
  return points;
}

Colour mean_colour(const Points& points, const LookParams& look) {
  const GrainBalls grains(points, look, each);
  Colour sum{};
  for (std::size_t ball = 0; ball < n * each; ++ball) sum = sum + grains.surface(ball).albedo;
  return sum * (1.0f / (n * each));
}

// Particles are sorted anew in every step: grains that hung on the place in the list would flicker in films.
TEST(GrainBalls, AreThoseOfTheParticleWhateverItsPlaceInTheList) {
  const Points points = heap();
  Points turned = points;
  std::reverse(turned.id.begin(), turned.id.end());
  const GrainBalls a(points, {}, each), b(turned, {}, each);
  for (std::size_t i = 0; i < n; ++i)
    for (int k = 0; k < each; ++k) {
      EXPECT_EQ(a.offset(i, k), b.offset(n - 1 - i, k));
      EXPECT_EQ(a.radius(i, k), b.radius(n - 1 - i, k));
      EXPECT_EQ(a.surface(i * each + k).albedo, b.surface((n - 1 - i) * each + k).albedo);
    }
}

// What no fill or source has said the colour of is of [look] grain_colour; what one has called white is white.
TEST(GrainBalls, WithoutAColourOfTheirOwnHaveTheLooks) {
  LookParams look;
  look.grain_colour = {0.5, 0.4, 0.2};
  Points points = heap();
  const Colour plain = mean_colour(points, look);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(plain[a], look.grain_colour[a], 0.1 * look.grain_colour[a] + 0.02);
  points.colour.assign(n, no_colour);
  EXPECT_EQ(mean_colour(points, look), plain);
  points.colour.assign(n, packed_colour({1, 1, 1}));
  EXPECT_GT(mean_colour(points, look).z, 0.85f);
}

// They differ, so that a heap of one colour does not look moulded.
TEST(GrainBalls, OfOneColourDiffer) {
  const Points points = heap();
  const GrainBalls grains(points, {}, each);
  const Colour mean = mean_colour(points, {});
  double square = 0;
  for (std::size_t ball = 0; ball < n * each; ++ball) {
    const double off = grains.surface(ball).albedo.x / mean.x - 1;
    square += off * off / (n * each);
  }
  EXPECT_GT(std::sqrt(square), 0.12);
  EXPECT_LT(std::sqrt(square), 0.35);
}

}  // namespace
}  // namespace silt

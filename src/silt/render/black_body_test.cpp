#include "silt/render/black_body.h"

#include <gtest/gtest.h>

#include "silt/render/exposure.h"

namespace silt {
namespace {

/// As tables of colour temperatures have them, in linear light, the largest part 1.
TEST(BlackBody, HasPlancksHue) {
  struct Known {
    float kelvin;
    Colour colour;
  };
  for (const Known& k : {Known{1500, {1, 0.154f, 0}}, Known{2000, {1, 0.25f, 0.006f}}, Known{3000, {1, 0.456f, 0.147f}},
                         Known{5000, {1, 0.775f, 0.617f}}, Known{10000, {0.624f, 0.701f, 1}}}) {
    const Colour c = planck_hue(k.kelvin);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(c[a], k.colour[a], 0.03) << k.kelvin << " K, part " << a;
  }
}

// Embers are red, what is as hot as a lamp is white, what is hotter blue.
TEST(BlackBody, FilmIsBalancedForLamps) {
  const auto seen = [](float kelvin) { return black_body(kelvin) * (1 / luminance(black_body(kelvin))); };
  EXPECT_GT(seen(1000).x, 3 * seen(1000).y);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(seen(3200)[a], 1, 0.01);
  EXPECT_GT(seen(8000).z, 1.2 * seen(8000).x);
}

TEST(BlackBody, GrowsBrighterWithoutJumps) {
  EXPECT_EQ(black_body(700).x, 0);
  for (float kelvin = 760; kelvin < 4000; kelvin += 10)
    EXPECT_GT(luminance(black_body(kelvin + 10)), luminance(black_body(kelvin)));
  EXPECT_GT(black_body(1e9f).z, 0);  // beyond the table: no hue that is new
}

}  // namespace
}  // namespace silt

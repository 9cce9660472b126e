#include "silt/render/image.h"

#include <gtest/gtest.h>

#include "silt/core/error.h"
#include "silt/render/palette.h"

namespace silt {
namespace {

TEST(Image, PngKeepsEveryLevelOfEveryChannel) {
  Image image(256, 3);
  for (int x = 0; x < 256; ++x)
    for (int y = 0; y < 3; ++y) image.at(x, y)[y] = from_srgb(float(x) / 255);
  const Image back = decode_png(encode_png(image));
  ASSERT_EQ(back.width(), 256);
  ASSERT_EQ(back.height(), 3);
  EXPECT_EQ(to_bytes(back), to_bytes(image));
  for (int x = 0; x < 256; ++x)
    for (int y = 0; y < 3; ++y)
      for (int channel = 0; channel < 3; ++channel)
        EXPECT_NEAR(back.at(x, y)[channel], channel == y ? from_srgb(float(x) / 255) : 0, 1e-6);
}

// A level between two bytes must come out as both, in proportion: else slow gradients band.
TEST(Image, DitherKeepsTheMean) {
  for (float level : {20.25f, 100.5f, 200.8f}) {
    const float linear = from_srgb(level / 255);
    double sum = 0;
    const auto bytes = to_bytes(Image(64, 64, {linear, linear, linear}));
    for (std::uint8_t b : bytes) {
      sum += b;
      EXPECT_NEAR(b, level, 1.0);
    }
    EXPECT_NEAR(sum / double(bytes.size()), level, 0.03);
  }
}

TEST(Image, ValuesOutOfRangeAreClamped) {
  Image image(1, 1, {-1.0f, 7.0f, std::nanf("")});
  EXPECT_EQ(to_bytes(image), (std::vector<std::uint8_t>{0, 255, 0}));
}

TEST(Image, DamagedPngIsRefused) {
  std::vector<std::uint8_t> bytes = encode_png(Image(16, 16, {0.5f, 0.5f, 0.5f}));
  bytes.resize(bytes.size() / 2);
  EXPECT_THROW(decode_png(bytes), IoError);
  EXPECT_THROW(decode_png({1, 2, 3}), IoError);
}

TEST(Image, ToneMapKeepsDarksAndNeverClips) {
  EXPECT_FLOAT_EQ(tone_map({0.3f, 0.1f, 0}, 1).x, 0.3f);
  EXPECT_FLOAT_EQ(tone_map({0.1f, 0.1f, 0}, 3).x, 0.3f);
  float before = 0;
  for (float x = 0.02f; x < 4; x += 0.02f) {
    const float y = tone_map({x, x, x}, 1).x;
    EXPECT_GT(y, before);
    EXPECT_LT(y, 1);
    before = y;
  }
}

TEST(Palette, LightnessGrowsEvenly) {
  const float dark = lightness(smoke_palette(0)), light = lightness(smoke_palette(1));
  EXPECT_LT(dark, 0.2f);
  EXPECT_GT(light, 0.95f);
  for (int i = 0; i <= 100; ++i)
    EXPECT_NEAR(lightness(smoke_palette(float(i) / 100)), dark + (light - dark) * float(i) / 100, 0.015f) << i;
}

}  // namespace
}  // namespace silt

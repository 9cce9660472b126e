#include "silt/render/grey_png.h"

#include <gtest/gtest.h>
#include <png.h>

#include <utility>

#include "silt/core/error.h"

namespace silt {
namespace {

void append(png_structp png, png_bytep data, std::size_t count) {
  auto& out = *static_cast<std::vector<std::uint8_t>*>(png_get_io_ptr(png));
  out.insert(out.end(), data, data + count);
}

/// A picture of one row, its samples as they are to stand in the file.
std::vector<std::uint8_t> encode(int width, int depth, int type, std::vector<std::uint8_t> row, double gamma = 0,
                                 bool srgb = false, int interlace = PNG_INTERLACE_NONE) {
  std::vector<std::uint8_t> out;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &out, append, nullptr);
  png_set_IHDR(png, info, png_uint_32(width), 1, depth, type, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (gamma > 0) png_set_gAMA(png, info, gamma);
  if (srgb) png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, info);
  png_bytep rows[] = {row.data()};
  png_write_image(png, rows);
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  return out;
}

// Heights are numbers: whatever gamma a file claims, half is half, with 8 bits and with 16.
TEST(GreyPng, NumbersAreTakenAsTheyStand) {
  for (const auto& [gamma, srgb] : {std::pair{0.0, false}, {0.45455, false}, {1.0, false}, {0.0, true}}) {
    const GreyImage eight = decode_grey_png(encode(3, 8, PNG_COLOR_TYPE_GRAY, {0, 128, 255}, gamma, srgb), 100);
    const GreyImage sixteen =
        decode_grey_png(encode(3, 16, PNG_COLOR_TYPE_GRAY, {0, 0, 0x80, 0, 0xff, 0xff}, gamma, srgb), 100);
    ASSERT_EQ(eight.values.size(), 3u);
    ASSERT_EQ(sixteen.values.size(), 3u);
    EXPECT_FLOAT_EQ(eight.values[1], 128.0f / 255) << gamma;
    EXPECT_FLOAT_EQ(sixteen.values[1], 32768.0f / 65535) << gamma;
    EXPECT_EQ(eight.values[2], 1);
    EXPECT_EQ(sixteen.values[2], 1);
  }
}

TEST(GreyPng, OtherKinds) {
  // Alpha does not count; colours count as bright as they look; one bit is black and white; interlaced is the same.
  EXPECT_FLOAT_EQ(decode_grey_png(encode(1, 8, PNG_COLOR_TYPE_GRAY_ALPHA, {51, 0}), 9).values[0], 0.2f);
  EXPECT_NEAR(decode_grey_png(encode(1, 8, PNG_COLOR_TYPE_RGB, {255, 0, 0}), 9).values[0], 0.2126, 1e-6);
  EXPECT_NEAR(decode_grey_png(encode(1, 16, PNG_COLOR_TYPE_RGB, {0, 0, 0xff, 0xff, 0, 0}), 9).values[0], 0.7152, 1e-6);
  EXPECT_NEAR(decode_grey_png(encode(1, 8, PNG_COLOR_TYPE_RGB_ALPHA, {102, 102, 102, 7}), 9).values[0], 0.4, 1e-6);
  const GreyImage bits = decode_grey_png(encode(8, 1, PNG_COLOR_TYPE_GRAY, {0b10110000}), 9);
  EXPECT_EQ(bits.values, (std::vector<float>{1, 0, 1, 1, 0, 0, 0, 0}));
  const auto interlaced = encode(3, 8, PNG_COLOR_TYPE_GRAY, {10, 20, 30}, 0, false, PNG_INTERLACE_ADAM7);
  EXPECT_FLOAT_EQ(decode_grey_png(interlaced, 9).values[2], 30.0f / 255);
}

TEST(GreyPng, WhatIsNoPngIsRefused) {
  const std::vector<std::uint8_t> good = encode(3, 8, PNG_COLOR_TYPE_GRAY, {1, 2, 3});
  EXPECT_THROW(decode_grey_png(good, 2), IoError);  // too large
  EXPECT_THROW(decode_grey_png({}, 9), IoError);
  EXPECT_THROW(decode_grey_png(std::vector<std::uint8_t>{'P', '6', ' ', '1'}, 9), IoError);
  for (std::size_t n = 0; n + 12 < good.size(); ++n)  // the end mark alone may be missing
    EXPECT_THROW(decode_grey_png(std::span(good).first(n), 9), IoError) << n;
}

// A hundred bytes that claim 8192 x 8192 pixels are not given the memory for them.
TEST(GreyPng, ClaimsAreHeldAgainstTheLengthOfTheFile) {
  std::vector<std::uint8_t> bytes;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &bytes, append, nullptr);
  png_set_IHDR(png, info, 8192, 8192, 16, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_write_info(png, info);
  const png_byte data[] = "anything";
  png_write_chunk(png, reinterpret_cast<png_const_bytep>("IDAT"), data, sizeof data);
  png_destroy_write_struct(&png, &info);
  try {
    decode_grey_png(bytes, 1 << 26);
    FAIL();
  } catch (const IoError& e) {
    EXPECT_STREQ(e.what(), "not a readable PNG: it is too short for the picture that it claims");
  }
}

}  // namespace
}  // namespace silt

#include "silt/render/font.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

namespace silt {
namespace {

std::string drawn(const std::string& text, double size) {
  Image image(int(text_width(text, size)) + 8, int(glyph_rows * size) + 8);
  draw_text(image, 4, 4, size, text, {1, 1, 1});
  const std::vector<std::uint8_t> bytes = to_bytes(image);
  return {bytes.begin(), bytes.end()};
}

double ink(const Image& image, int x0, int x1) {
  double sum = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = x0; x < x1; ++x) sum += image.at(x, y).x;
  return sum;
}

TEST(Font, EveryLetterIsItsOwn) {
  const std::string letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz .,:-+=/()[]%*^_'!?";
  std::set<std::string> seen;
  for (char c : letters) {
    const bool is_new = seen.insert(drawn(std::string(1, c), 3)).second;
    EXPECT_TRUE(is_new || c == 'O') << c;  // O and 0 may look the same
  }
  EXPECT_EQ(drawn("\x01", 3), drawn("?", 3));
}

TEST(Font, InkStaysWithinTheTextsWidth) {
  for (double size : {1.0, 1.7, 4.0}) {
    const std::string text = "mW.0";
    const int width = int(std::ceil(text_width(text, size)));
    Image image(width + 40, 60);
    draw_text(image, 20, 10, size, text, {1, 1, 1});
    EXPECT_GT(ink(image, 20, 20 + width), 10);
    EXPECT_EQ(ink(image, 0, 19), 0);
    EXPECT_EQ(ink(image, 21 + width, image.width()), 0);
  }
}

TEST(Font, InkGrowsWithTheSquareOfTheSize) {
  Image small(200, 60), large(200, 60);
  draw_text(small, 10, 10, 2, "R8", {1, 1, 1});
  draw_text(large, 10, 10, 4, "R8", {1, 1, 1});
  EXPECT_NEAR(ink(large, 0, 200) / ink(small, 0, 200), 4, 0.2);
}

TEST(Font, DrawingBeyondThePictureIsHarmless) {
  Image image(10, 10);
  draw_text(image, -7, -3, 2, "overlong text", {1, 1, 1});
  EXPECT_GT(ink(image, 0, 10), 0);
}

}  // namespace
}  // namespace silt

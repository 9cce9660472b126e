#include "silt/render/sheet.h"

#include <gtest/gtest.h>

namespace silt {
namespace {

TEST(Sheet, PicturesStandInRows) {
  const Colour red{1, 0, 0}, green{0, 1, 0};
  const Image sheet = contact_sheet({{Image(40, 20, red), "1"}, {Image(40, 20, green), "2"}, {Image(), "3"}}, 2);
  int reds = 0, greens = 0, red_right = 0, green_left = 1 << 20;
  for (int y = 0; y < sheet.height(); ++y)
    for (int x = 0; x < sheet.width(); ++x) {
      if (sheet.at(x, y) == red) ++reds, red_right = std::max(red_right, x);
      if (sheet.at(x, y) == green) ++greens, green_left = std::min(green_left, x);
    }
  EXPECT_EQ(reds, 800);
  EXPECT_EQ(greens, 800);
  EXPECT_LT(red_right, green_left);
  EXPECT_GT(sheet.height(), 2 * 20) << "a second row, for the one that is missing";
  EXPECT_EQ(sheet.width() % 2 + sheet.height() % 2, 0);
}

TEST(Sheet, FramesAreSpreadFromTheFirstToTheLast) {
  std::vector<int> frames;
  for (int i = 1; i <= 97; ++i) frames.push_back(i);
  EXPECT_EQ(spread(frames, 5), (std::vector<int>{1, 25, 49, 73, 97}));
  EXPECT_EQ(spread(frames, 1), (std::vector<int>{97}));
  EXPECT_EQ(spread({3, 7}, 5), (std::vector<int>{3, 7}));
  EXPECT_TRUE(spread({}, 5).empty());
}

}  // namespace
}  // namespace silt

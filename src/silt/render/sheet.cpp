#include "silt/render/sheet.h"

#include <algorithm>
#include <cmath>

#include "silt/render/font.h"

namespace silt {

Image contact_sheet(const std::vector<SheetPicture>& pictures, int columns) {
  int width = 0, height = 0;
  for (const SheetPicture& p : pictures)
    width = std::max(width, p.image.width()), height = std::max(height, p.image.height());
  if (width == 0) width = 320, height = 180;
  const Colour page = from_hex(0x0c0f15), ink = from_hex(0xc9d1de), missing = from_hex(0x1a1f29);
  const double text = std::max(1.0, height / 160.0);
  const int gap = std::max(2, int(4 * text)), row = height + int(text_height(text) + 4 * text) + gap;
  const int rows = (int(pictures.size()) + columns - 1) / columns;
  const auto even = [](int x) { return x + x % 2; };
  Image sheet(even(columns * (width + gap) + gap), even(rows * row + gap), page);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const int x0 = gap + int(i % std::size_t(columns)) * (width + gap), y0 = gap + int(i / std::size_t(columns)) * row;
    const Image& image = pictures[i].image;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        sheet.at(x0 + x, y0 + y) = x < image.width() && y < image.height() ? image.at(x, y) : missing;
    draw_text(sheet, x0 + 2 * text, y0 + height + 2 * text, text, pictures[i].label, ink);
  }
  return sheet;
}

std::vector<int> spread(const std::vector<int>& frames, int count) {
  const int last = int(frames.size()) - 1;
  if (count > last) return frames;
  std::vector<int> out;
  for (int i = 0; i < count; ++i)
    out.push_back(frames[std::size_t(count == 1 ? last : std::lround(double(i) * last / (count - 1)))]);
  return out;
}

}  // namespace silt

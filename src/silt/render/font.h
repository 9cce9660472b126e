#pragma once

#include <string_view>

#include "silt/render/image.h"

namespace silt {

/// Letters on a 5 x 7 raster with two rows below the line, drawn as round strokes through the raster's dots, so that
/// they stay smooth at any size. `size` is pixels a raster step: 2 gives capitals 14 pixels high. Lower-case letters,
/// capitals, digits and common punctuation; anything else is drawn as '?'.
constexpr int glyph_columns = 5, glyph_rows = 9, glyph_height = 7;

double text_width(std::string_view text, double size);
inline double text_height(double size) {
  return glyph_height * size;
}  ///< of capitals and digits

/// Draws with the top of capitals at y and the left edge at x [pixels].
void draw_text(Image& image, double x, double y, double size, std::string_view text, Colour colour);
/// The same, reading upwards: its first letter begins at y, the top of capitals is at x.
void draw_text_up(Image& image, double x, double y, double size, std::string_view text, Colour colour);

}  // namespace silt

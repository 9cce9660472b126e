#include "silt/render/font.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "silt/render/draw.h"

namespace silt {

namespace {

/// Glyphs side by side, six columns each; the last two rows lie below the line.
struct GlyphSheet {
  std::string_view letters;
  std::string_view rows[glyph_rows];
};

// clang-format off
constexpr GlyphSheet sheets[] = {
    {"0123456789",
     {" ###    #    ###   ###     #  #####   ##  #####  ###   ###  ",
      "#   #  ##   #   # #   #   ##  #      #        # #   # #   # ",
      "#   #   #       #     #  # #  ####  #        #  #   # #   # ",
      "#   #   #      #    ##  #  #      # ####     #   ###   #### ",
      "#   #   #     #       # #####     # #   #   #   #   #     # ",
      "#   #   #    #    #   #    #  #   # #   #   #   #   #    #  ",
      " ###   ###  #####  ###     #   ###   ###    #    ###   ##   ",
      "                                                            ",
      "                                                            "}},
    {"ABCDEFGHIJKLM",
     {"  #   ####   ###  ####  ##### #####  ###  #   #  ###      # #   # #     #   # ",
      " # #  #   # #   # #   # #     #     #   # #   #   #       # #  #  #     ## ## ",
      "#   # #   # #     #   # #     #     #     #   #   #       # # #   #     # # # ",
      "#   # ####  #     #   # ####  ####  #  ## #####   #       # ##    #     # # # ",
      "##### #   # #     #   # #     #     #   # #   #   #       # # #   #     #   # ",
      "#   # #   # #   # #   # #     #     #   # #   #   #   #   # #  #  #     #   # ",
      "#   # ####   ###  ####  ##### #      ###  #   #  ###   ###  #   # ##### #   # ",
      "                                                                              ",
      "                                                                              "}},
    {"NOPQRSTUVWXYZ",
     {"#   #  ###  ####   ###  ####   ###  ##### #   # #   # #   # #   # #   # ##### ",
      "##  # #   # #   # #   # #   # #   #   #   #   # #   # #   # #   # #   #     # ",
      "# # # #   # #   # #   # #   # #       #   #   # #   # #   #  # #   # #     #  ",
      "#  ## #   # ####  #   # ####   ###    #   #   # #   # # # #   #     #     #   ",
      "#   # #   # #     # # # # #       #   #   #   #  # #  # # #  # #    #    #    ",
      "#   # #   # #     #  #  #  #  #   #   #   #   #  # #  ## ## #   #   #   #     ",
      "#   #  ###  #      ## # #   #  ###    #    ###    #   #   # #   #   #   ##### ",
      "                                                                              ",
      "                                                                              "}},
    {"abcdefghijklm",
     {"      #               #         ##        #       #      #  #      ##         ",
      "      #               #        #          #                 #       #         ",
      " ###  # ##   ###   ## #  ###  ####   #### # ##   ##     ##  #  #    #   ## #  ",
      "    # ##  # #   # #  ## #   #  #    #   # ##  #   #      #  # #     #   # # # ",
      " #### #   # #     #   # #####  #    #   # #   #   #      #  ##      #   # # # ",
      "#   # #   # #   # #   # #      #    #   # #   #   #      #  # #     #   # # # ",
      " #### ####   ###   ####  ###   #     #### #   #  ###     #  #  #   ###  # # # ",
      "                                        #             #  #                    ",
      "                                     ###               ##                     "}},
    {"nopqrstuvwxyz",
     {"                                     #                                        ",
      "                                     #                                        ",
      "# ##   ###  ####   #### # ##   #### ####  #   # #   # #   # #   # #   # ##### ",
      "##  # #   # #   # #   # ##  # #      #    #   # #   # #   #  # #  #   #    #  ",
      "#   # #   # #   # #   # #      ###   #    #   # #   # # # #   #   #   #   #   ",
      "#   # #   # #   # #   # #         #  #  # #  ##  # #  # # #  # #  #   #  #    ",
      "#   #  ###  ####   #### #     ####    ##   ## #   #    # #  #   #  #### ##### ",
      "            #         #                                               #       ",
      "            #         #                                            ###        "}},
    {" .,:-+=/()",
     {"                                              #    #   #    ",
      "                                #             #   #     #   ",
      "                    #           #   #####    #   #       #  ",
      "                         ###  #####         #    #       #  ",
      "                                #   #####  #     #       #  ",
      "                                #         #       #     #   ",
      "        #     #     #                     #        #   #    ",
      "              #                                             ",
      "             #                                              "}},
    {"[]%*^_'!?",
     {"  ##   ##   ##  #         #           #     #    ###  ",
      "  #     #   ##  #   #    # #          #     #   #   # ",
      "  #     #      #  # # # #   #               #       # ",
      "  #     #     #    ###                      #      #  ",
      "  #     #    #    # # #                     #     #   ",
      "  #     #   #  ##   #                                 ",
      "  ##   ##   #  ##                           #     #   ",
      "                              #####                   ",
      "                                                      "}},
};
// clang-format on

constexpr bool well_formed(const GlyphSheet& sheet) {
  for (std::string_view row : sheet.rows)
    if (row.size() != sheet.letters.size() * (glyph_columns + 1)) return false;
  return true;
}
static_assert(std::all_of(std::begin(sheets), std::end(sheets), well_formed));

struct Glyph {
  const GlyphSheet* sheet;
  int column;

  bool dot(int x, int y) const {
    return x >= 0 && y >= 0 && x < glyph_columns && y < glyph_rows && sheet->rows[y][std::size_t(column + x)] == '#';
  }
};

Glyph find_glyph(char letter) {
  for (const GlyphSheet& sheet : sheets)
    if (const auto i = sheet.letters.find(letter); i != std::string_view::npos)
      return {&sheet, int(i) * (glyph_columns + 1)};
  return find_glyph('?');
}

/// Lines between neighbouring dots, diagonals only where no corner dot joins the two; a lone dot is a line of no
/// length.
std::vector<Stroke> strokes(const Glyph& glyph) {
  std::vector<Stroke> lines;
  for (int y = 0; y < glyph_rows; ++y)
    for (int x = 0; x < glyph_columns; ++x) {
      if (!glyph.dot(x, y)) continue;
      const double cx = x + 0.5, cy = y + 0.5;
      lines.push_back({{cx, cy}, {cx, cy}});
      if (glyph.dot(x + 1, y)) lines.push_back({{cx, cy}, {cx + 1, cy}});
      if (glyph.dot(x, y + 1)) lines.push_back({{cx, cy}, {cx, cy + 1}});
      for (int side : {-1, 1})
        if (glyph.dot(x + side, y + 1) && !glyph.dot(x + side, y) && !glyph.dot(x, y + 1))
          lines.push_back({{cx, cy}, {cx + side, cy + 1}});
    }
  return lines;
}

/// How dark a letter is at a point of its raster.
double cover_of(const std::vector<Stroke>& lines, const Spot& at, double size) {
  constexpr double radius = 0.46;  // of a stroke, in raster steps
  double nearest = 1e9;
  for (const Stroke& line : lines) nearest = std::min(nearest, line.distance(at));
  return std::clamp((radius - nearest) * size + 0.5, 0.0, 1.0);
}

/// `to_pixel` gives where a point of the text [pixels from its beginning] is in the picture, `to_text` goes back.
template <class ToPixel, class ToText>
void draw_letters(Image& image, double size, std::string_view text, Colour colour, const ToPixel& to_pixel,
                  const ToText& to_text) {
  double begin = 0;
  for (const char letter : text) {
    const std::vector<Stroke> lines = strokes(find_glyph(letter));
    const Spot a = to_pixel(Spot{begin, 0}), b = to_pixel(Spot{begin + glyph_columns * size, glyph_rows * size});
    for (int y = int(std::min(a.y, b.y)) - 1; y <= int(std::max(a.y, b.y)) + 1; ++y)
      for (int x = int(std::min(a.x, b.x)) - 1; x <= int(std::max(a.x, b.x)) + 1; ++x) {
        const Spot at = to_text(Spot{x + 0.5, y + 0.5});
        const double cover = cover_of(lines, {(at.x - begin) / size, at.y / size}, size);
        if (cover > 0) image.blend(x, y, colour, float(cover));
      }
    begin += (glyph_columns + 1) * size;
  }
}

}  // namespace

double text_width(std::string_view text, double size) {
  return text.empty() ? 0 : (double(text.size()) * (glyph_columns + 1) - 1) * size;
}

void draw_text(Image& image, double x, double y, double size, std::string_view text, Colour colour) {
  draw_letters(
      image, size, text, colour,
      [&](const Spot& p) {
        return Spot{x + p.x, y + p.y};
      },
      [&](const Spot& p) {
        return Spot{p.x - x, p.y - y};
      });
}

void draw_text_up(Image& image, double x, double y, double size, std::string_view text, Colour colour) {
  draw_letters(
      image, size, text, colour,
      [&](const Spot& p) {
        return Spot{x + p.y, y - p.x};
      },
      [&](const Spot& p) {
        return Spot{y - p.y, p.x - x};
      });
}

}  // namespace silt

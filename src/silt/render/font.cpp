#include "silt/render/font.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

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

struct Stroke {
  double x0, y0, x1, y1;

  double distance(double x, double y) const {
    const double dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
    const double t = length2 > 0 ? std::clamp(((x - x0) * dx + (y - y0) * dy) / length2, 0.0, 1.0) : 0.0;
    return std::hypot(x - x0 - t * dx, y - y0 - t * dy);
  }
};

/// Lines between neighbouring dots, diagonals only where no corner dot joins the two; a lone dot is a line of no
/// length.
std::vector<Stroke> strokes(const Glyph& glyph) {
  std::vector<Stroke> lines;
  for (int y = 0; y < glyph_rows; ++y)
    for (int x = 0; x < glyph_columns; ++x) {
      if (!glyph.dot(x, y)) continue;
      const double cx = x + 0.5, cy = y + 0.5;
      lines.push_back({cx, cy, cx, cy});
      if (glyph.dot(x + 1, y)) lines.push_back({cx, cy, cx + 1, cy});
      if (glyph.dot(x, y + 1)) lines.push_back({cx, cy, cx, cy + 1});
      for (int side : {-1, 1})
        if (glyph.dot(x + side, y + 1) && !glyph.dot(x + side, y) && !glyph.dot(x, y + 1))
          lines.push_back({cx, cy, cx + side, cy + 1});
    }
  return lines;
}

}  // namespace

double text_width(std::string_view text, double size) {
  return text.empty() ? 0 : (double(text.size()) * (glyph_columns + 1) - 1) * size;
}

void draw_text(Image& image, double x, double y, double size, std::string_view text, Colour colour) {
  constexpr double radius = 0.46;  // of a stroke, in raster steps
  for (char letter : text) {
    const std::vector<Stroke> lines = strokes(find_glyph(letter));
    for (int py = int(y) - 1; py <= int(y + glyph_rows * size) + 1; ++py)
      for (int px = int(x) - 1; px <= int(x + glyph_columns * size) + 1; ++px) {
        double nearest = 1e9;
        for (const Stroke& line : lines)
          nearest = std::min(nearest, line.distance((px + 0.5 - x) / size, (py + 0.5 - y) / size));
        const double cover = std::clamp((radius - nearest) * size + 0.5, 0.0, 1.0);
        if (cover > 0) image.blend(px, py, colour, float(cover));
      }
    x += (glyph_columns + 1) * size;
  }
}

}  // namespace silt

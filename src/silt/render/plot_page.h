#pragma once

#include <string>
#include <vector>

#include "silt/render/draw.h"
#include "silt/render/palette.h"

namespace silt {

/// What a plot is drawn with.
struct PlotColours {
  Colour page, ink, line;    ///< of the paper, of letters, of the map's frame
  Colour water, water_edge;  ///< a body of water, and its surface
  Colour solid, solid_edge;  ///< obstacles
};
const PlotColours& plot_colours(Page page);

struct Range {
  double lo = 0, hi = 1;
};

/// What stands round a map.
struct PlotTexts {
  std::string name{};  ///< of what it shows: "density"
  std::string note{};  ///< "t = 1.25 s"
  std::string x = "x [m]", y = "y [m]";
  Range x_range{}, y_range{}, colours{};
  bool colour_bar = true;
  bool stretch = false;  ///< x and y have nothing to do with each other: the map takes all the room
};

/// A page with a map on it. Each part has its own row or column, so nothing can overlap.
///
///       density                t = 1.25 s
///      1 +------------------+  ##- 1
///        |                  |  ##
///  y 0.5 |       map        |  ##- 0.5
///        |                  |  ##
///      0 +------------------+  ##- 0
///        0        0.5       1
///                 x
struct PlotPage {
  PlotPage(const PlotTexts& texts, PictureSize size);

  double text = 2;  ///< pixels a step of the font
  Rect map, bar;

  /// All but the map.
  void draw(Image& image, const PlotColours& colours, Palette palette) const;

 private:
  struct Tick {
    double at;
    std::string label;
  };
  static std::vector<Tick> ticks_of(const Range& range);
  bool fit(PictureSize size);
  void draw_axes(Image& image, const PlotColours& colours) const;
  void draw_bar(Image& image, const PlotColours& colours, Palette palette) const;

  PlotTexts texts_;
  std::vector<Tick> x_, y_, bar_;
  double y_numbers_ = 0;  // width of the column [pixels]
};

/// The largest of 1, 2, 5 times a power of ten that is at most x > 0.
double round_down(double x);
/// Ends on round numbers, so that they do not change from frame to frame without need.
Range rounded_outward(const Range& range);
/// About five round numbers from lo to hi.
std::vector<double> ticks(double lo, double hi);
/// "0.25", "1e-06".
std::string number_label(double x);

}  // namespace silt

#pragma once

#include "silt/render/image.h"

namespace silt {

/// A part of a picture [pixels].
struct Rect {
  int x = 0, y = 0, width = 0, height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
};

/// A point of a picture [pixels], y down.
struct Spot {
  double x = 0, y = 0;
};

/// A line from one point to another.
struct Stroke {
  Spot from, to;

  double distance(const Spot& p) const;
};

void draw_rect(Image& image, const Rect& r, Colour c);

/// A line with round ends and soft edges, so wide [pixels], that stays within a part of the picture.
void draw_line(Image& image, const Rect& within, const Stroke& line, double width, Colour c);

/// A line with a head at its end.
void draw_arrow(Image& image, const Rect& within, const Stroke& line, double width, Colour c);

/// A round dot with a soft edge, of a radius [pixels].
void draw_dot(Image& image, const Rect& within, const Spot& at, double radius, Colour c);

}  // namespace silt

#include "silt/render/draw.h"

#include <algorithm>
#include <cmath>

namespace silt {

double Stroke::distance(const Spot& p) const {
  const double dx = to.x - from.x, dy = to.y - from.y, length2 = dx * dx + dy * dy;
  const double t = length2 > 0 ? std::clamp(((p.x - from.x) * dx + (p.y - from.y) * dy) / length2, 0.0, 1.0) : 0.0;
  return std::hypot(p.x - from.x - t * dx, p.y - from.y - t * dy);
}

void draw_rect(Image& image, const Rect& r, Colour c) {
  for (int y = r.y; y < r.y + r.height; ++y)
    for (int x = r.x; x < r.x + r.width; ++x) image.blend(x, y, c, 1);
}

void draw_line(Image& image, const Rect& within, const Stroke& line, double width, Colour c) {
  const double reach = width / 2 + 1;
  const int x0 = std::max(int(std::min(line.from.x, line.to.x) - reach), within.x);
  const int x1 = std::min(int(std::max(line.from.x, line.to.x) + reach), within.x + within.width - 1);
  const int y0 = std::max(int(std::min(line.from.y, line.to.y) - reach), within.y);
  const int y1 = std::min(int(std::max(line.from.y, line.to.y) + reach), within.y + within.height - 1);
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const double cover = width / 2 + 0.5 - line.distance({x + 0.5, y + 0.5});
      if (cover > 0) image.blend(x, y, c, float(std::min(cover, 1.0)));
    }
}

void draw_arrow(Image& image, const Rect& within, const Stroke& line, double width, Colour c) {
  draw_line(image, within, line, width, c);
  const double dx = line.to.x - line.from.x, dy = line.to.y - line.from.y, length = std::hypot(dx, dy);
  if (length < 2 * width) return;
  const double head = std::min(4 * width, 0.5 * length) / length;
  for (const double side : {-0.5, 0.5})
    draw_line(image, within, {line.to, {line.to.x - head * (dx + side * dy), line.to.y - head * (dy - side * dx)}},
              width, c);
}

void draw_dot(Image& image, const Rect& within, const Spot& at, double radius, Colour c) {
  draw_line(image, within, {at, at}, 2 * radius, c);
}

}  // namespace silt

#include "silt/render/plot_marks.h"

#include <algorithm>
#include <cmath>

namespace silt {
namespace {

/// What is seen over the picture as it is there.
Colour colour_over(const Image& image, const Spot& at) {
  return contrasting(
      image.at(std::clamp(int(at.x), 0, image.width() - 1), std::clamp(int(at.y), 0, image.height() - 1)));
}

double radius_of(const Points& points, const MapView& view) {
  return std::max(1.0, points.radius * view.pixels_a_metre);
}

}  // namespace

float contour_cover(float value, float gradient, const Range& range, int lines, float width) {
  const float step = float((range.hi - range.lo) / (lines + 1));
  const float line = std::clamp(std::round((value - float(range.lo)) / step), 1.0f, float(lines));
  const float off = std::abs(value - float(range.lo) - line * step);
  return gradient > 1e-6f * step ? std::clamp(0.5f * width + 0.5f - off / gradient, 0.0f, 1.0f) : 0.0f;
}

double draw_arrows(Image& image, const MapView& view, const Frame& frame, const Volume& velocity, double pace,
                   double width) {
  const Grid<Vec3f> flow = make_vector_grid(velocity);
  const Volume* solid = frame.find("solid");
  const Lattice& lattice = frame.domain.lattice;
  struct Arrow {
    Spot at;
    Vec3f flow;
  };
  std::vector<Arrow> arrows;
  double top = 0;
  const int nx = std::max(1, int(view.map.width / pace)), ny = std::max(1, int(view.map.height / pace));
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const Spot s{view.map.x + view.map.width * (i + 0.5) / nx, view.map.y + view.map.height * (j + 0.5) / ny};
      Vec3d cell = (view.place(s) - lattice.origin) / lattice.h;
      cell.z = 0.5;
      if (solid && solid->at({int(std::floor(cell.x)), int(std::floor(cell.y)), 0}) < 0) continue;
      arrows.push_back({s, flow.linear(cell.as<float>())});
      top = std::max(top, double(length(arrows.back().flow)));
    }
  const Image before = image;  // an arrow's colour is chosen by what is below it, not by other arrows
  for (const Arrow& a : arrows) {
    const double scale = top > 0 ? 0.5 * pace / top : 0, dx = a.flow.x * scale, dy = -a.flow.y * scale;
    if (std::hypot(dx, dy) < 0.5) continue;
    draw_arrow(image, view.map, {{a.at.x - dx, a.at.y - dy}, {a.at.x + dx, a.at.y + dy}}, width,
               colour_over(before, a.at));
  }
  return top;
}

void draw_particles(Image& image, const MapView& view, const Frame& frame) {
  const Image before = image;
  for (const Points& points : frame.points)
    for (const Vec3d& x : points.positions) {
      const Spot at = view.at(x);
      draw_dot(image, view.map, at, std::max(0.7, 0.3 * points.radius * view.pixels_a_metre), colour_over(before, at));
    }
}

void draw_particle_speeds(Image& image, const MapView& view, const Frame& frame, const Range& range, Palette palette) {
  for (const Points& points : frame.points)
    for (std::size_t i = 0; i < points.count(); ++i) {
      const double speed = points.velocities.empty() ? 0 : length(points.velocities[i]);
      draw_dot(image, view.map, view.at(points.positions[i]), radius_of(points, view),
               palette(float((speed - range.lo) / (range.hi - range.lo))));
    }
}

double fastest_particle(const Frame& frame) {
  float speed = 0;
  for (const Points& points : frame.points)
    for (const Vec3f& v : points.velocities) speed = std::max(speed, length(v));
  return speed;
}

}  // namespace silt

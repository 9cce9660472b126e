#include "silt/render/plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/camera.h"
#include "silt/render/derived.h"
#include "silt/render/distance_field.h"
#include "silt/render/font.h"
#include "silt/render/grid.h"
#include "silt/render/palette.h"

namespace silt {

namespace {

const Colour page = from_hex(0x0c0f15), ink = from_hex(0xc9d1de), frame_line = from_hex(0x39414f);
const Colour water_fill = from_hex(0x1d5f92), water_edge = from_hex(0x8fd0ee);
const Colour solid_fill = from_hex(0x565e6c), solid_rim = from_hex(0xaab4c4);

struct Rect {
  int x = 0, y = 0, width = 0, height = 0;
};

struct Range {
  double lo = 0, hi = 1;
};

/// Where everything goes. Each part has its own row or column, so nothing can overlap.
///
///     name [unit]
///     +------------------+  ##- 1
///     |                  |  ##
///     |       map        |  ##- 0.5
///     |                  |  ##
///     +------------------+  ##- 0
///     |----| 0.2 m    t = 1.25 s
struct PlotLayout {
  double text = 2;  // pixels a step of the font
  Rect map, bar;
  double header_x = 0, header_y = 0;
  double footer_x = 0, footer_y = 0, footer_right = 0;
  double bar_metres = 1, bar_pixels = 1;  // the scale bar
};

struct Labels {
  std::string name, time, scale;
  std::vector<double> at;  // ticks of the colour bar, and their texts
  std::vector<std::string> numbers;
};

std::string number_label(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", std::abs(x) < 1e-12 ? 0.0 : x);
  return text;
}

std::string time_label(double seconds) {
  char text[48];
  std::snprintf(text, sizeof text, "t = %.2f s", seconds);
  return text;
}

bool has_sign(const Volume& volume) {
  return volume.name == "vorticity";
}

using Palette = Colour (*)(float);

/// Rounded outward, so that the colours do not change from frame to frame without need. Densities start at 0 to 1.
Range colour_range(const Volume& volume, const Grid<float>& grid, const LookParams& look) {
  Range r{1e300, -1e300};
  const Box& b = grid.cells();
  for (int y = b.lo.y; y < b.hi.y; ++y)
    for (int x = b.lo.x; x < b.hi.x; ++x) {
      const double v = grid.at({x, y, b.lo.z});
      r = {std::min(r.lo, v), std::max(r.hi, v)};
    }
  if (volume.name == "density") r = {0, std::max(1.0, r.hi)};
  if (has_sign(volume)) r = {-std::max(-r.lo, r.hi), std::max(-r.lo, r.hi)};  // nothing is in the middle
  const double span = std::max({r.hi - r.lo, 1e-6 * std::abs(r.lo), 1e-12});
  const double step = round_down(span / 4);
  r = {std::floor(r.lo / step + 0.02) * step, std::ceil(r.hi / step - 0.02) * step};
  if (look.range_min) r.lo = *look.range_min;
  if (look.range_max) r.hi = *look.range_max;
  if (r.hi <= r.lo) r.hi = r.lo + 1;
  return r;
}

/// Fits the map into what text of this size leaves; false when the footer is then wider than the map and its colour
/// bar.
bool fit(PlotLayout& l, Labels& labels, PictureSize size, const Vec3d& extent) {
  const double u = l.text, margin = 11 * u, gap = 6 * u;
  double number_width = 0;
  for (const std::string& n : labels.numbers) number_width = std::max(number_width, text_width(n, u));
  const double column = gap + 7 * u + 4 * u + number_width, row = text_height(u) + gap;
  const double room_x = size.width - 2 * margin - column, room_y = size.height - 2 * margin - 2 * row;
  const double scale = std::min(room_x / extent.x, room_y / extent.y);  // pixels a metre
  if (room_x < 8 || room_y < 8) return false;

  l.map.width = std::max(1, int(extent.x * scale)), l.map.height = std::max(1, int(extent.y * scale));
  l.map.x = int((size.width - l.map.width - column) / 2), l.map.y = int((size.height - l.map.height) / 2);
  l.bar = {int(l.map.x + l.map.width + gap), l.map.y, int(7 * u), l.map.height};
  l.header_y = l.map.y - row, l.footer_y = l.map.y + l.map.height + gap;
  l.bar_metres = round_down(0.3 * extent.x), l.bar_pixels = l.bar_metres * scale;
  labels.scale = length_label(l.bar_metres);

  // Both rows start at the map's left edge, or further left where they are too wide for the room right of it.
  const double footer = l.bar_pixels + 18 * u + text_width(labels.scale, u) + text_width(labels.time, u);
  const double header = text_width(labels.name, u);
  l.header_x = std::min(double(l.map.x), size.width - margin - header);
  l.footer_x = std::min(double(l.map.x), (size.width - footer) / 2);
  l.footer_right = std::max(l.footer_x + footer, double(l.map.x + l.map.width));
  return std::max(header, footer) <= size.width - 2 * margin;
}

PlotLayout arrange(Labels& labels, PictureSize size, const Vec3d& extent) {
  PlotLayout l;
  l.text = std::max(1.0, std::min(size.width, size.height) / 270.0);
  while (!fit(l, labels, size, extent) && l.text > 0.2) l.text *= 0.9;
  return l;
}

void draw_rect(Image& image, const Rect& r, Colour c) {
  for (int y = r.y; y < r.y + r.height; ++y)
    for (int x = r.x; x < r.x + r.width; ++x) image.blend(x, y, c, 1);
}

/// `paint` gives the colour of a position [cells], in a pixel so many cells wide.
template <class Paint>
void draw_map(Image& image, const Rect& map, const Box& cells, const Paint& paint, const Grid<float>& solid,
              double cells_per_pixel, double h, const Exec& exec) {
  const Int3 lo = cells.lo;
  const float rim = std::max(1.5f, float(map.height) / 300);  // width of an obstacle's bright edge [pixels]
#pragma omp parallel for num_threads(exec.threads()) schedule(dynamic, 8)
  for (int y = 0; y < map.height; ++y)
    for (int x = 0; x < map.width; ++x) {
      const Vec3f at{float(lo.x + (x + 0.5) * cells_per_pixel), float(lo.y + (map.height - y - 0.5) * cells_per_pixel),
                     float(lo.z) + 0.5f};
      Colour c = paint(at, float(cells_per_pixel));
      if (!solid.empty()) {
        const float phi = solid.smooth(at) / float(h * cells_per_pixel);  // [pixels]
        const float inside = std::clamp(0.5f - phi, 0.0f, 1.0f), core = std::clamp(0.5f - phi - rim, 0.0f, 1.0f);
        c = c * (1 - inside) + (solid_rim * (1 - core) + solid_fill * core) * inside;
      }
      image.at(map.x + x, map.y + y) = c;
    }
}

void draw_colour_bar(Image& image, const PlotLayout& l, const Labels& labels, const Range& range, Palette palette) {
  const Rect& b = l.bar;
  for (int y = 0; y < b.height; ++y)
    draw_rect(image, {b.x, b.y + y, b.width, 1}, palette(1 - float(y + 0.5) / float(b.height)));
  for (std::size_t i = 0; i < labels.at.size(); ++i) {
    const double y = b.y + b.height * (range.hi - labels.at[i]) / (range.hi - range.lo);
    draw_rect(image,
              {b.x + b.width, int(std::clamp(y, double(b.y), b.y + b.height - 1.0)), int(2 * l.text),
               std::max(1, int(0.5 * l.text))},
              ink);
    // Numbers at the ends stay within the bar's height.
    const double top = std::clamp(y - text_height(l.text) / 2, double(b.y), b.y + b.height - text_height(l.text));
    draw_text(image, b.x + b.width + 4 * l.text, top, l.text, labels.numbers[i], ink);
  }
}

void draw_footer(Image& image, const PlotLayout& l, const Labels& labels) {
  const double u = l.text, middle = l.footer_y + text_height(u) / 2;
  const int line = std::max(1, int(std::lround(0.8 * u))), end = int(4 * u), width = int(std::lround(l.bar_pixels));
  const int x = int(l.footer_x);
  draw_rect(image, {x, int(middle - line / 2.0), width, line}, ink);
  for (int at : {x, x + width - line}) draw_rect(image, {at, int(middle - end / 2.0), line, end}, ink);
  draw_text(image, x + l.bar_pixels + 3 * u, l.footer_y, u, labels.scale, ink);
  draw_text(image, l.footer_right - text_width(labels.time, u), l.footer_y, u, labels.time, ink);
}

const Volume& find_quantity(const Frame& frame, const std::string& name) {
  if (const Volume* v = frame.find(name)) return *v;
  std::string names;
  for (const Volume& v : frame.volumes) names += (names.empty() ? "" : ", ") + v.name;
  throw InputError(str("the frame has no volume '", name, "' to show", names.empty() ? "" : "; it has: ", names));
}

}  // namespace

double round_down(double x) {
  const double power = std::pow(10, std::floor(std::log10(x) + 1e-9));
  for (double digit : {5.0, 2.0})
    if (digit * power <= x * (1 + 1e-9)) return digit * power;
  return power;
}

std::string length_label(double metres) {
  return metres < 0.00999 ? number_label(metres * 1000) + " mm" : number_label(metres) + " m";
}

std::vector<double> ticks(double lo, double hi) {
  const double step = round_down((hi - lo) / 4 * (1 + 1e-9));
  std::vector<double> at;
  for (double i = std::ceil(lo / step - 1e-6); i * step <= hi + 1e-6 * step; ++i) at.push_back(i * step);
  return at;
}

namespace {

/// From places in the scene to pixels of the map.
struct MapView {
  Rect map;
  Vec3d lower;  ///< its lower left corner [m]
  double pixels_a_metre = 1;

  double x(const Vec3d& at) const { return map.x + (at.x - lower.x) * pixels_a_metre; }
  double y(const Vec3d& at) const { return map.y + map.height - (at.y - lower.y) * pixels_a_metre; }
};

/// A round dot with a soft edge, of a radius in pixels, that stays within the map.
void draw_dot(Image& image, const MapView& view, const Vec3d& at, double radius, Colour c) {
  const double x = view.x(at), y = view.y(at);
  const Rect& m = view.map;
  for (int j = std::max(int(y - radius - 1), m.y); j <= std::min(int(y + radius + 1), m.y + m.height - 1); ++j)
    for (int i = std::max(int(x - radius - 1), m.x); i <= std::min(int(x + radius + 1), m.x + m.width - 1); ++i) {
      const double cover = radius + 0.5 - std::hypot(i + 0.5 - x, j + 0.5 - y);
      if (cover > 0) image.blend(i, j, c, float(std::min(cover, 1.0)));
    }
}

/// The map with its frame, time and scale; `labels` without numbers has no colour bar. `over` draws on the map.
template <class Paint, class Over>
Image plot_map(const Frame& frame, const RenderParams& params, const Box& cells, Labels labels, const Range& range,
               Palette palette, const Paint& paint, const Over& over, const Exec& exec) {
  const Volume* obstacles = frame.find("solid");
  const Grid<float> solid = obstacles ? make_grid(*obstacles) : Grid<float>();
  for (double t : labels.at) labels.numbers.push_back(number_label(t));
  const PictureSize size = picture_size(frame.domain, params.camera);
  const Vec3d extent = cells.size().as<double>() * frame.domain.lattice.h;
  const PlotLayout layout = arrange(labels, size, extent);

  Image image(size.width, size.height, page);
  const Rect& map = layout.map;
  draw_rect(image, {map.x - 1, map.y - 1, map.width + 2, map.height + 2}, frame_line);
  draw_map(image, map, cells, paint, solid, double(cells.size().x) / map.width, frame.domain.lattice.h, exec);
  over(image, MapView{map, frame.domain.lattice.origin + cells.lo.as<double>() * frame.domain.lattice.h,
                      map.width / extent.x});
  if (!labels.at.empty()) draw_colour_bar(image, layout, labels, range, palette);
  draw_text(image, layout.header_x, layout.header_y, layout.text, labels.name, ink);
  draw_footer(image, layout, labels);
  return image;
}

void no_overlay(Image&, const MapView&) {}

/// Smoke in its own colours over the page, as thick as its density.
Image plot_colours(const Frame& frame, const RenderParams& params, const Volume& volume, const Exec& exec) {
  const Grid<float> density = make_grid(find_quantity(frame, "density"));
  Grid<Colour> coloured = make_vector_grid(volume);
  const Box& cells = volume.cells;
  for (int y = cells.lo.y; y < cells.hi.y; ++y)
    for (int x = cells.lo.x; x < cells.hi.x; ++x) coloured.at({x, y, cells.lo.z}) *= density.at({x, y, cells.lo.z});
  const auto paint = [&](const Vec3f& at, float) {
    const float d = std::max(density.smooth(at), 0.0f), cover = 1 - std::exp(-2.5f * d);
    return page * (1 - cover) + (d > 1e-6f ? coloured.smooth(at) * (cover / d) : Colour{});
  };
  const Labels labels{.name = "colour", .time = time_label(frame.time), .scale = {}, .at = {}, .numbers = {}};
  return plot_map(frame, params, cells, labels, {}, smoke_palette, paint, no_overlay, exec);
}

/// A body of water, lighter along its surface.
struct WaterPaint {
  DistanceField shape;

  Colour operator()(const Vec3f& at, float pixel) const {
    if (!shape.any()) return page;
    const float depth = -shape.at(at) / pixel, edge = 2.5f;  // [pixels]
    const float cover = std::clamp(depth + 0.5f, 0.0f, 1.0f), below = std::clamp(depth / edge, 0.0f, 1.0f);
    return page * (1 - cover) + (water_edge * (1 - below) + water_fill * below) * cover;
  }
};

Image plot_water(const Frame& frame, const RenderParams& params, const Exec& exec) {
  find_quantity(frame, "surface");
  const WaterPaint paint{DistanceField(frame, "surface", DistanceField::Detail::fine)};
  const Labels labels{.name = "water", .time = time_label(frame.time), .scale = {}, .at = {}, .numbers = {}};
  return plot_map(frame, params, frame.domain.cells, labels, {}, smoke_palette, paint, no_overlay, exec);
}

double fastest(const Frame& frame) {
  float speed = 0;
  for (const Points& points : frame.points)
    for (const Vec3f& v : points.velocities) speed = std::max(speed, length(v));
  return speed;
}

/// Every particle as a dot, coloured by its speed.
Image plot_particles(const Frame& frame, const RenderParams& params, const Exec& exec) {
  if (frame.points.empty()) throw InputError("the frame has no particles to show");
  const double top = std::max(fastest(frame), 1e-9), step = round_down(top / 4);
  const Range range{params.look.range_min.value_or(0),
                    params.look.range_max.value_or(std::ceil(top / step - 0.02) * step)};
  const auto draw = [&](Image& image, const MapView& view) {
    for (const Points& points : frame.points) {
      const double radius = std::max(1.0, points.radius * view.pixels_a_metre);
      for (std::size_t i = 0; i < points.count(); ++i) {
        const double speed = points.velocities.empty() ? 0 : length(points.velocities[i]);
        draw_dot(image, view, points.positions[i], radius,
                 smoke_palette(float((speed - range.lo) / (range.hi - range.lo))));
      }
    }
  };
  const Labels labels{.name = "speed of particles [m/s]",
                      .time = time_label(frame.time),
                      .scale = {},
                      .at = ticks(range.lo, range.hi),
                      .numbers = {}};
  const auto paint = [](const Vec3f&, float) { return page; };
  return plot_map(frame, params, frame.domain.cells, labels, range, smoke_palette, paint, draw, exec);
}

/// What is asked for; where nobody asked and there is no smoke, water.
std::string shown_quantity(const Frame& frame, const LookParams& look) {
  const bool only_water = frame.find("surface") && !frame.find("density");
  return look.quantity == LookParams{}.quantity && only_water ? "surface" : look.quantity;
}

}  // namespace

Image plot_frame(const Frame& frame, const RenderParams& params, const Exec& exec) {
  const std::string quantity = shown_quantity(frame, params.look);
  if (quantity == "surface") return plot_water(frame, params, exec);
  if (quantity == "particles") return plot_particles(frame, params, exec);
  std::optional<Volume> derived;
  if (quantity == "vorticity" && !frame.find("vorticity"))
    derived = vorticity_of(frame, find_quantity(frame, "velocity"));
  const Volume& volume = derived ? *derived : find_quantity(frame, quantity);
  if (volume.name == "colour" && volume.components() == 3) return plot_colours(frame, params, volume, exec);
  const Grid<float> values = make_grid(volume);
  const Range range = colour_range(volume, values, params.look);
  const Palette palette = has_sign(volume) ? signed_palette : smoke_palette;
  const auto paint = [&](const Vec3f& at, float) {
    return palette(float((values.smooth(at) - range.lo) / (range.hi - range.lo)));
  };
  const Labels labels{.name = volume.name + (volume.unit.empty() ? "" : " [" + volume.unit + "]"),
                      .time = time_label(frame.time),
                      .scale = {},
                      .at = ticks(range.lo, range.hi),
                      .numbers = {}};
  return plot_map(frame, params, values.cells(), labels, range, palette, paint, no_overlay, exec);
}

}  // namespace silt

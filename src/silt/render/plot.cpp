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
#include "silt/render/grid.h"
#include "silt/render/plot_lines.h"
#include "silt/render/plot_marks.h"
#include "silt/render/plot_page.h"
#include "silt/render/time_text.h"

namespace silt {
namespace {

bool has_sign(const Volume& volume) {
  return volume.name == "vorticity" || volume.name == "overpressure";
}

/// Rounded outward. Densities start at 0 to 1.
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
  r = rounded_outward(r);
  if (look.range_min) r.lo = *look.range_min;
  if (look.range_max) r.hi = *look.range_max;
  if (r.hi <= r.lo) r.hi = r.lo + 1;
  return r;
}

/// Whether it is one of water before there is any: such frames have a surface without cells, and nothing else.
bool before_any_water(const Frame& frame) {
  const Volume* surface = frame.find("surface");
  return surface && surface->cells.empty();
}

const Volume& find_quantity(const Frame& frame, const std::string& name) {
  if (const Volume* v = frame.find(name)) return *v;
  static const Volume still{"water", "velocity", Volume::Kind::vector, "m/s", {}, 0, {}};
  if (name == "velocity" && before_any_water(frame)) return still;
  std::string names;
  for (const Volume& v : frame.volumes) names += (names.empty() ? "" : ", ") + v.name;
  throw InputError(str("the frame has no volume '", name, "' to show", names.empty() ? "" : "; it has: ", names));
}

/// A volume on all cells of the domain, so that a map shows the same place in every frame: water's are as large as it
/// is.
Volume over_domain(const Frame& frame, const Volume& volume) {
  const Box& cells = frame.domain.cells;
  if (volume.cells == cells) return volume;
  Volume out{volume.material, volume.name, volume.kind, volume.unit, cells, volume.background, {}};
  out.values.assign(std::size_t(cells.count()) * std::size_t(out.components()), volume.background);
  const Box both = intersect(cells, volume.cells);
  for (int y = both.lo.y; y < both.hi.y; ++y)
    for (int x = both.lo.x; x < both.hi.x; ++x)
      for (int c = 0; c < out.components(); ++c)
        out.values[out.index({x, y, both.lo.z}) + std::size_t(c)] = volume.at({x, y, both.lo.z}, c);
  return out;
}

/// A frame's plot: the parts that every kind of map has.
class Plot {
 public:
  Plot(const Frame& frame, const RenderParams& params, const Box& cells, PlotTexts texts, Palette palette)
      : frame_(frame),
        look_(params.look),
        cells_(cells),
        colours_(plot_colours(params.look.page)),
        palette_(palette),
        page_(with_axes(std::move(texts), params.seconds_per_frame), picture_size(frame.domain, params.camera)),
        image_(size(params).width, size(params).height, colours_.page) {}

  const PlotColours& colours() const { return colours_; }
  Image& image() { return image_; }
  float line_width() const { return std::max(1.0f, float(0.5 * page_.text)); }

  MapView view() const { return {page_.map, lower(), page_.map.width / (cells_.size().x * frame_.domain.lattice.h)}; }

  /// `paint` gives the colour of a position [cells], in a pixel so many cells wide.
  template <class Paint>
  void paint_map(const Paint& paint, const Exec& exec) {
    const Volume* obstacles = frame_.find("solid");
    const Grid<float> solid = obstacles ? make_grid(*obstacles) : Grid<float>();
    const Rect& map = page_.map;
    const Int3 lo = cells_.lo;
    const double pixel = double(cells_.size().x) / map.width;  // [cells]
#pragma omp parallel for num_threads(exec.threads()) schedule(dynamic, 8)
    for (int y = 0; y < map.height; ++y)
      for (int x = 0; x < map.width; ++x) {
        const Vec3f at{float(lo.x + (x + 0.5) * pixel), float(lo.y + (map.height - y - 0.5) * pixel),
                       float(lo.z) + 0.5f};
        const Colour c = paint(at, float(pixel));
        image_.at(map.x + x, map.y + y) = solid.empty() ? c : under_solid(c, solid, at, float(pixel));
      }
  }

  /// What is asked for over the map, and the page round it.
  Image finish() {
    if (look_.particles) draw_particles(image_, view(), frame_);
    if (look_.arrows)
      draw_arrows(image_, view(), frame_, over_domain(frame_, find_quantity(frame_, "velocity")), 14 * page_.text,
                  line_width());
    page_.draw(image_, colours_, palette_);
    return std::move(image_);
  }

 private:
  PictureSize size(const RenderParams& params) const {
    return picture_size(frame_.domain, params.camera);
  }
  Vec3d lower() const {
    return frame_.domain.lattice.origin + cells_.lo.as<double>() * frame_.domain.lattice.h;
  }
  PlotTexts with_axes(PlotTexts texts, double seconds_per_frame) const {
    const Vec3d lo = lower(), hi = lo + cells_.size().as<double>() * frame_.domain.lattice.h;
    texts.x_range = {lo.x, hi.x}, texts.y_range = {lo.y, hi.y};
    texts.note = "t = " + time_text(frame_.time, seconds_per_frame);
    return texts;
  }

  /// An obstacle, with a bright edge, over what is there.
  Colour under_solid(Colour c, const Grid<float>& solid, const Vec3f& at, float pixel) const {
    const float rim = std::max(1.5f, float(page_.map.height) / 300);                // [pixels]
    const float phi = solid.smooth(at) / (float(frame_.domain.lattice.h) * pixel);  // [pixels]
    const float inside = std::clamp(0.5f - phi, 0.0f, 1.0f), core = std::clamp(0.5f - phi - rim, 0.0f, 1.0f);
    return c * (1 - inside) + (colours_.solid_edge * (1 - core) + colours_.solid * core) * inside;
  }

  const Frame& frame_;
  const LookParams& look_;
  Box cells_;
  const PlotColours& colours_;
  Palette palette_;
  PlotPage page_;
  Image image_;
};

/// Smoke in its own colours over the page, as thick as its density.
Image plot_smoke_colours(const Frame& frame, const RenderParams& params, const Volume& volume, const Exec& exec) {
  const Grid<float> density = make_grid(find_quantity(frame, "density"));
  Grid<Colour> coloured = make_vector_grid(volume);
  const Box cells = intersect(volume.cells, density.cells());
  for (int y = cells.lo.y; y < cells.hi.y; ++y)
    for (int x = cells.lo.x; x < cells.hi.x; ++x) coloured.at({x, y, cells.lo.z}) *= density.at({x, y, cells.lo.z});
  Plot plot(frame, params, cells, {.name = "colour", .colour_bar = false}, smoke_palette);
  const Colour page = plot.colours().page;
  plot.paint_map(
      [&](const Vec3f& at, float) {
        const float d = std::max(density.smooth(at), 0.0f), cover = 1 - std::exp(-2.5f * d);
        return page * (1 - cover) + (d > 1e-6f ? coloured.smooth(at) * (cover / d) : Colour{});
      },
      exec);
  return plot.finish();
}

/// A body of water, with a line along its surface.
Image plot_water(const Frame& frame, const RenderParams& params, const Exec& exec) {
  find_quantity(frame, "surface");
  const DistanceField shape(frame, "surface");
  Plot plot(frame, params, frame.domain.cells, {.name = "water", .colour_bar = false}, smoke_palette);
  const PlotColours& c = plot.colours();
  plot.paint_map(
      [&](const Vec3f& at, float pixel) {
        if (!shape.any()) return c.page;
        const float depth = -shape.at(at) / pixel, edge = 2.5f;  // [pixels]
        const float cover = std::clamp(depth + 0.5f, 0.0f, 1.0f), below = std::clamp(depth / edge, 0.0f, 1.0f);
        return c.page * (1 - cover) + (c.water_edge * (1 - below) + c.water * below) * cover;
      },
      exec);
  const Lattice& lattice = frame.domain.lattice;
  draw_drops(plot.image(), plot.view(), frame, c.water_edge, [&](const Vec3d& x, double radius) {
    return !shape.any() || shape.at(lattice.to_cells(x).as<float>()) >= float(radius / lattice.h);
  });
  return plot.finish();
}

/// Every particle as a dot, coloured by its speed.
Image plot_particles(const Frame& frame, const RenderParams& params, const Exec& exec) {
  if (frame.points.empty()) throw InputError("the frame has no particles to show");
  const double top = std::max(fastest_particle(frame), 1e-9), step = round_down(top / 4);
  const Range range{params.look.range_min.value_or(0),
                    params.look.range_max.value_or(std::ceil(top / step - 0.02) * step)};
  const Palette palette = palette_of(params.look.colours, false);
  Plot plot(frame, params, frame.domain.cells, {.name = "speed of particles [m/s]", .colours = range}, palette);
  plot.paint_map([page = plot.colours().page](const Vec3f&, float) { return page; }, exec);
  draw_particle_speeds(plot.image(), plot.view(), frame, range, palette);
  return plot.finish();
}

Image plot_values(const Frame& frame, const RenderParams& params, const Volume& volume, const Exec& exec) {
  const Grid<float> values = make_grid(volume);
  const Range range = colour_range(volume, values, params.look);
  const Palette palette = palette_of(params.look.colours, has_sign(volume), params.look.page);
  const std::string name = volume.name + (volume.unit.empty() ? "" : " [" + volume.unit + "]");
  Plot plot(frame, params, values.cells(), {.name = name, .colours = range}, palette);
  const int lines = params.look.contours;
  const float width = plot.line_width();
  plot.paint_map(
      [&](const Vec3f& at, float pixel) {
        const float v = values.smooth(at);
        const Colour c = palette(float((v - range.lo) / (range.hi - range.lo)));
        if (lines == 0) return c;
        const Vec3f g = values.smooth_gradient(at);
        const float cover = contour_cover(v, std::hypot(g.x, g.y) * pixel, range, lines, width);
        return c * (1 - cover) + contrasting(c) * cover;
      },
      exec);
  return plot.finish();
}

/// What is asked for; where nobody asked and there is no smoke, water.
std::string shown_quantity(const Frame& frame, const LookParams& look) {
  const bool only_water = frame.find("surface") && !frame.find("density");
  return look.quantity == LookParams{}.quantity && only_water ? "surface" : look.quantity;
}

}  // namespace

Image plot_frame(const Frame& frame, const RenderParams& params, const Exec& exec) {
  if (frame.domain.lattice.dims() == 1) return plot_lines(frame, params);
  const std::string quantity = shown_quantity(frame, params.look);
  if (quantity == "surface") return plot_water(frame, params, exec);
  if (quantity == "particles") return plot_particles(frame, params, exec);
  const Volume volume = quantity == "vorticity" && !frame.find("vorticity")
                            ? vorticity_of(frame, over_domain(frame, find_quantity(frame, "velocity")))
                            : over_domain(frame, find_quantity(frame, quantity));
  if (volume.name == "colour" && volume.components() == 3) return plot_smoke_colours(frame, params, volume, exec);
  return plot_values(frame, params, volume, exec);
}

}  // namespace silt

#include "silt/render/plot_lines.h"

#include <algorithm>
#include <cmath>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/camera.h"
#include "silt/render/plot_page.h"
#include "silt/render/time_text.h"

namespace silt {
namespace {

std::vector<const Volume*> shown(const Frame& frame, const std::string& quantity) {
  std::vector<const Volume*> out;
  std::string names;
  for (const Volume& v : frame.volumes) {
    if (v.name == quantity || (quantity == "all" && v.kind != Volume::Kind::level_set)) out.push_back(&v);
    names += (names.empty() ? "" : ", ") + v.name;
  }
  if (out.empty())
    throw InputError(str("the frame has no volume '", quantity, "' to show", names.empty() ? "" : "; it has: ", names));
  return out;
}

float value(const Volume& volume, int x) {
  return volume.at({x, volume.cells.lo.y, volume.cells.lo.z}, 0);
}

Range range_of(const Volume& volume, const LookParams& look, bool only) {
  Range r{1e300, -1e300};
  for (int x = volume.cells.lo.x; x < volume.cells.hi.x; ++x) {
    const double v = value(volume, x);
    r = {std::min(r.lo, v), std::max(r.hi, v)};
  }
  r = rounded_outward(r);
  if (only && look.range_min) r.lo = *look.range_min;
  if (only && look.range_max) r.hi = *look.range_max;
  if (r.hi <= r.lo) r.hi = r.lo + 1;
  return r;
}

/// One panel, as a picture.
Image panel(const Frame& frame, const Volume& volume, const PlotTexts& texts, PictureSize size,
            const PlotColours& colours) {
  const PlotPage page(texts, size);
  Image image(size.width, size.height, colours.page);
  const Lattice& lattice = frame.domain.lattice;
  const Rect& map = page.map;
  const auto across = [&](double x) {
    return map.x +
           map.width * (lattice.origin.x + x * lattice.h - texts.x_range.lo) / (texts.x_range.hi - texts.x_range.lo);
  };
  const auto spot = [&](int x) {
    const double part = (value(volume, x) - texts.y_range.lo) / (texts.y_range.hi - texts.y_range.lo);
    return Spot{across(x + 0.5), map.bottom() - map.height * part};
  };
  if (const Volume* solid = frame.find("solid"))
    for (int x = solid->cells.lo.x; x < solid->cells.hi.x; ++x)
      if (value(*solid, x) < 0) {
        const int from = int(across(x)), to = int(across(x + 1));
        draw_rect(image, {from, map.y, to - from, map.height}, colours.solid);
      }
  const double width = std::max(1.5, 0.8 * page.text);
  for (int x = volume.cells.lo.x; x + 1 < volume.cells.hi.x; ++x)
    draw_line(image, map, {spot(x), spot(x + 1)}, width, colours.water_edge);
  page.draw(image, colours, smoke_palette);
  return image;
}

}  // namespace

Image plot_lines(const Frame& frame, const RenderParams& params) {
  const std::vector<const Volume*> volumes = shown(frame, params.look.quantity);
  const PlotColours& colours = plot_colours(params.look.page);
  const PictureSize size = picture_size(frame.domain, params.camera);
  const int count = int(volumes.size()), columns = count > 1 ? 2 : 1, rows = (count + columns - 1) / columns;
  const PictureSize part{size.width / columns, size.height / rows};
  Image out(size.width, size.height, colours.page);
  for (int i = 0; i < count; ++i) {
    const Volume& volume = *volumes[std::size_t(i)];
    const PlotTexts texts{
        .name = volume.name + (volume.unit.empty() ? "" : " [" + volume.unit + "]"),
        .note = i == std::min(columns, count) - 1 ? "t = " + time_text(frame.time, params.seconds_per_frame) : "",
        .y = "",
        .x_range = {frame.domain.lower().x, frame.domain.upper().x},
        .y_range = range_of(volume, params.look, count == 1),
        .colour_bar = false,
        .stretch = true};
    const Image one = panel(frame, volume, texts, part, colours);
    const int left = i % columns * part.width, top = i / columns * part.height;
    for (int y = 0; y < part.height; ++y)
      for (int x = 0; x < part.width; ++x) out.at(left + x, top + y) = one.at(x, y);
  }
  return out;
}

}  // namespace silt

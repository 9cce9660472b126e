#include "silt/render/plot_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "silt/render/font.h"

namespace silt {
namespace {

const PlotColours dark{.page = from_hex(0x0c0f15),
                       .ink = from_hex(0xc9d1de),
                       .line = from_hex(0x39414f),
                       .water = from_hex(0x1d5f92),
                       .water_edge = from_hex(0x8fd0ee),
                       .solid = from_hex(0x565e6c),
                       .solid_edge = from_hex(0xaab4c4)};
const PlotColours paper{.page = from_hex(0xffffff),
                        .ink = from_hex(0x14181f),
                        .line = from_hex(0x14181f),
                        .water = from_hex(0x9cc9ea),
                        .water_edge = from_hex(0x1d5f92),
                        .solid = from_hex(0xb9bfc8),
                        .solid_edge = from_hex(0x4a515c)};

double widest(const std::vector<std::string>& labels, double size) {
  double width = 0;
  for (const std::string& label : labels) width = std::max(width, text_width(label, size));
  return width;
}

/// Lengths of the page, in steps of the font.
constexpr double margin = 9, gap = 5, tick = 2.5, bar_width = 7;

}  // namespace

const PlotColours& plot_colours(Page page) {
  return page == Page::paper ? paper : dark;
}

double round_down(double x) {
  const double power = std::pow(10, std::floor(std::log10(x) + 1e-9));
  for (double digit : {5.0, 2.0})
    if (digit * power <= x * (1 + 1e-9)) return digit * power;
  return power;
}

Range rounded_outward(const Range& range) {
  const double span = std::max({range.hi - range.lo, 1e-6 * std::abs(range.lo), 1e-12}), step = round_down(span / 4);
  return {std::floor(range.lo / step + 0.02) * step, std::ceil(range.hi / step - 0.02) * step};
}

std::vector<double> ticks(double lo, double hi) {
  const double step = round_down((hi - lo) / 4 * (1 + 1e-9));
  std::vector<double> at;
  for (double i = std::ceil(lo / step - 1e-6); i * step <= hi + 1e-6 * step; ++i) at.push_back(i * step);
  return at;
}

std::string number_label(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", std::abs(x) < 1e-12 ? 0.0 : x);
  return text;
}

std::vector<PlotPage::Tick> PlotPage::ticks_of(const Range& range) {
  std::vector<Tick> out;
  for (const double at : ticks(range.lo, range.hi))
    out.push_back({at, number_label(std::abs(at) < 1e-9 * (range.hi - range.lo) ? 0 : at)});
  return out;
}

PlotPage::PlotPage(const PlotTexts& texts, PictureSize size) : texts_(texts) {
  x_ = ticks_of(texts.x_range), y_ = ticks_of(texts.y_range);
  if (texts.colour_bar) bar_ = ticks_of(texts.colours);
  text = std::max(1.0, std::min(size.width, size.height) / 270.0);
  if (texts.stretch) text = std::max(text, 1.35);
  while (!fit(size) && text > 0.2) text *= 0.9;
}

/// Fits the map into what text of this size leaves; false when a row of text is then wider than there is room for.
bool PlotPage::fit(PictureSize size) {
  const double u = text, height = text_height(u);
  std::vector<std::string> y_labels, bar_labels;
  for (const Tick& t : y_) y_labels.push_back(t.label);
  for (const Tick& t : bar_) bar_labels.push_back(t.label);
  y_numbers_ = widest(y_labels, u);
  const double left = height + gap * u + y_numbers_ + (tick + 2) * u;
  const double right = bar_.empty() ? 0 : (gap + bar_width + tick + 2) * u + widest(bar_labels, u);
  const double top = height + gap * u, bottom = (tick + 2) * u + 2 * height + gap * u;
  const double room_x = size.width - 2 * margin * u - left - right;
  const double room_y = size.height - 2 * margin * u - top - bottom;
  if (room_x < 8 || room_y < 8) return false;

  const double extent_x = texts_.x_range.hi - texts_.x_range.lo, extent_y = texts_.y_range.hi - texts_.y_range.lo;
  const double scale = std::min(room_x / extent_x, room_y / extent_y);  // pixels a metre
  map.width = std::max(1, int(texts_.stretch ? room_x : extent_x * scale));
  map.height = std::max(1, int(texts_.stretch ? room_y : extent_y * scale));
  map.x = int((size.width - map.width - left - right) / 2 + left);
  map.y = int((size.height - map.height - top - bottom) / 2 + top);
  bar = {int(map.right() + gap * u), map.y, int(bar_width * u), map.height};

  // Numbers that would touch leave every other one out, or more.
  const auto thin_out = [&](std::vector<Tick>& all, double pixels, auto&& size_of) {
    const auto needed = [&] {
      double sum = 0;
      for (const Tick& t : all) sum += size_of(t) + 2 * u;
      return sum;
    };
    while (all.size() > 2 && needed() > pixels + 2 * u) {
      std::vector<Tick> fewer;
      for (std::size_t i = 0; i < all.size(); i += 2) fewer.push_back(all[i]);
      all = fewer;
    }
  };
  thin_out(x_, map.width, [&](const Tick& t) { return text_width(t.label, u); });
  thin_out(y_, map.height, [&](const Tick&) { return height; });
  thin_out(bar_, map.height, [&](const Tick&) { return height; });
  const double header = text_width(texts_.name, u) + 4 * u + text_width(texts_.note, u);
  return header <= size.width - 2 * margin * u;
}

void PlotPage::draw(Image& image, const PlotColours& colours, Palette palette) const {
  draw_axes(image, colours);
  if (!bar_.empty()) draw_bar(image, colours, palette);
  const double u = text, y = map.y - text_height(u) - gap * u;
  const double width = text_width(texts_.name, u) + 4 * u + text_width(texts_.note, u);
  // The row starts at the map's left edge, or further left where it is too wide for the room right of it.
  const double left = std::min(double(map.x), image.width() - margin * u - width);
  draw_text(image, left, y, u, texts_.name, colours.ink);
  draw_text(image, std::max(left + width, map.right()) - text_width(texts_.note, u), y, u, texts_.note, colours.ink);
}

void PlotPage::draw_axes(Image& image, const PlotColours& colours) const {
  const double u = text, height = text_height(u);
  const int line = std::max(1, int(std::lround(0.5 * u))), length = int(tick * u);
  draw_rect(image, {map.x - line, map.y - line, map.width + 2 * line, line}, colours.line);
  draw_rect(image, {map.x - line, map.y + map.height, map.width + 2 * line, line}, colours.line);
  draw_rect(image, {map.x - line, map.y, line, map.height}, colours.line);
  draw_rect(image, {map.x + map.width, map.y, line, map.height}, colours.line);
  const double under = map.bottom() + length + 2 * u;
  for (const Tick& t : x_) {
    const double x = map.x + map.width * (t.at - texts_.x_range.lo) / (texts_.x_range.hi - texts_.x_range.lo);
    draw_rect(image, {int(std::clamp(x, double(map.x), map.right() - 1)), map.y + map.height, line, length},
              colours.ink);
    const double width = text_width(t.label, u);
    draw_text(image, std::clamp(x - width / 2, margin * u, image.width() - margin * u - width), under, u, t.label,
              colours.ink);
  }
  for (const Tick& t : y_) {
    const double y = map.bottom() - map.height * (t.at - texts_.y_range.lo) / (texts_.y_range.hi - texts_.y_range.lo);
    draw_rect(image, {map.x - length, int(std::clamp(y, double(map.y), map.bottom() - 1)), length, line}, colours.ink);
    draw_text(image, map.x - length - 2 * u - text_width(t.label, u), y - height / 2, u, t.label, colours.ink);
  }
  draw_text(image, map.x + (map.width - text_width(texts_.x, u)) / 2, under + height + 0.6 * gap * u, u, texts_.x,
            colours.ink);
  const double column = map.x - length - 2 * u - y_numbers_ - gap * u - height;
  if (text_width(texts_.y, u) <= map.height + 2 * height)
    draw_text_up(image, column, map.y + (map.height + text_width(texts_.y, u)) / 2, u, texts_.y, colours.ink);
}

void PlotPage::draw_bar(Image& image, const PlotColours& colours, Palette palette) const {
  const double u = text, height = text_height(u);
  for (int y = 0; y < bar.height; ++y)
    draw_rect(image, {bar.x, bar.y + y, bar.width, 1}, palette(1 - float(y + 0.5) / float(bar.height)));
  for (const Tick& t : bar_) {
    const double y = bar.y + bar.height * (texts_.colours.hi - t.at) / (texts_.colours.hi - texts_.colours.lo);
    draw_rect(image,
              {bar.x + bar.width, int(std::clamp(y, double(bar.y), bar.bottom() - 1)), int(tick * u),
               std::max(1, int(0.5 * u))},
              colours.ink);
    // Numbers at the ends stay within the bar's height.
    const double top = std::clamp(y - height / 2, double(bar.y), std::max(double(bar.y), bar.bottom() - height));
    draw_text(image, bar.right() + (tick + 2) * u, top, u, t.label, colours.ink);
  }
}

}  // namespace silt

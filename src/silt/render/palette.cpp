#include "silt/render/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace silt {

namespace {

/// [Ottosson 2020] OKLab to linear sRGB.
Colour from_oklab(float lightness, float a, float b) {
  const auto cube = [](float x) { return x * x * x; };
  const float l = cube(lightness + 0.3963377774f * a + 0.2158037573f * b);
  const float m = cube(lightness - 0.1055613458f * a - 0.0638541728f * b);
  const float s = cube(lightness - 0.0894841775f * a - 1.2914855480f * b);
  return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
          -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
          -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

struct Stop {
  float t, chroma, hue;  // hue in degrees, falling from blue through violet and rose to yellow
};
using Stops = std::array<Stop, 7>;
constexpr Stops ember{{{0.00f, 0.028f, 265},
                       {0.18f, 0.090f, 278},
                       {0.38f, 0.135f, 310},
                       {0.56f, 0.150f, 360},
                       {0.72f, 0.140f, 400},
                       {0.87f, 0.110f, 435},
                       {1.00f, 0.045f, 455}}};
constexpr Stops sea{{{0.00f, 0.030f, 265},
                     {0.18f, 0.075f, 255},
                     {0.38f, 0.095f, 230},
                     {0.56f, 0.105f, 195},
                     {0.72f, 0.120f, 165},
                     {0.87f, 0.120f, 130},
                     {1.00f, 0.060f, 108}}};
constexpr float darkest = 0.17f, lightest = 0.97f;

/// Catmull-Rom through the stops, with the neighbours' spacing taken into account.
float spline(const Stops& stops, float t, float Stop::*value) {
  std::size_t i = 0;
  while (i + 2 < stops.size() && t > stops[i + 1].t) ++i;
  const auto slope = [&](std::size_t k) {
    const Stop &before = stops[k == 0 ? 0 : k - 1], &after = stops[std::min(k + 1, stops.size() - 1)];
    return (after.*value - before.*value) / (after.t - before.t);
  };
  const float width = stops[i + 1].t - stops[i].t, s = (t - stops[i].t) / width;
  const float p0 = stops[i].*value, p1 = stops[i + 1].*value, m0 = slope(i) * width, m1 = slope(i + 1) * width;
  return p0 + s * (m0 + s * (3 * (p1 - p0) - 2 * m0 - m1 + s * (m0 + m1 - 2 * (p1 - p0))));
}

Colour colour_between(const Stops& stops, float t) {
  t = t > 0 ? std::min(t, 1.0f) : 0;  // NaN is the lowest
  const float chroma = spline(stops, t, &Stop::chroma);
  const float hue = spline(stops, t, &Stop::hue) * std::numbers::pi_v<float> / 180;
  const Colour c = from_oklab(darkest + (lightest - darkest) * t, chroma * std::cos(hue), chroma * std::sin(hue));
  return max(min(c, Colour{1, 1, 1}), Colour{});
}

/// A value with a sign: how large it is, and the hue of that side.
struct Signed {
  float size, hue;  // [rad]

  explicit Signed(float t) {
    const float s = t > 0 ? 2 * std::min(t, 1.0f) - 1 : t <= 0 ? -1 : 0;  // NaN is the middle
    size = std::abs(s);
    hue = (s < 0 ? 250 - 20 * size : 45 + 40 * size) * std::numbers::pi_v<float> / 180;
  }
  Colour colour(float lightness, float chroma, float blue) const {
    const Colour c = from_oklab(lightness, chroma * std::cos(hue), chroma * std::sin(hue) + blue);
    return max(min(c, Colour{1, 1, 1}), Colour{});
  }
};

}  // namespace

Colour smoke_palette(float t) {
  return colour_between(ember, t);
}
Colour sea_palette(float t) {
  return colour_between(sea, t);
}
Colour grey_palette(float t) {
  return from_oklab(t > 0 ? std::min(t, 1.0f) : 0, 0, 0);
}

Palette palette_of(ColourMap map, bool has_sign, Page page) {
  const Palette both = page == Page::paper ? paper_signed_palette : signed_palette;
  switch (map) {
    case ColourMap::sea:
      return sea_palette;
    case ColourMap::grey:
      return grey_palette;
    case ColourMap::both:
      return both;
    case ColourMap::ember:
      return smoke_palette;
    case ColourMap::usual:
      break;
  }
  return has_sign ? both : smoke_palette;
}

Colour signed_palette(float t) {
  const Signed s(t);
  const float blue = -0.02f * (1 - s.size);  // the page's own tinge, which both sides fade to
  return s.colour(darkest + (lightest - darkest) * s.size, 0.38f * s.size * (1 - 0.72f * s.size), blue);
}

Colour paper_signed_palette(float t) {
  const Signed s(t);
  return s.colour(1 - 0.6f * s.size, 0.2f * s.size * (1 - 0.25f * s.size), 0);
}

Colour contrasting(Colour under) {
  return lightness(under) > 0.6f ? Colour{0.01f, 0.01f, 0.015f} : Colour{0.85f, 0.87f, 0.9f};
}

float lightness(Colour c) {
  const float l = std::cbrt(0.4122214708f * c.x + 0.5363325363f * c.y + 0.0514459929f * c.z);
  const float m = std::cbrt(0.2119034982f * c.x + 0.6806995451f * c.y + 0.1073969566f * c.z);
  const float s = std::cbrt(0.0883024619f * c.x + 0.2817188376f * c.y + 0.6299787005f * c.z);
  return 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s;
}

}  // namespace silt

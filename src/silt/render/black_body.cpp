#include "silt/render/black_body.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace silt {
namespace {

constexpr double coldest = 750;  ///< what is colder does not glow visibly [K]
constexpr double hottest = 20000, step = 50;
constexpr int steps = int((hottest - coldest) / step) + 1;
constexpr double film_white = 3200;  ///< [K]
constexpr float crosstalk = 0.03f;   ///< share of the brightest layer's light that the others see

/// A bell that is wider on one side than on the other [nm].
double lobe(double x, double centre, double left, double right) {
  const double t = (x - centre) / (x < centre ? left : right);
  return std::exp(-0.5 * t * t);
}

/// The eye's response to light of one wavelength [nm]: CIE 1931, by the fit of Wyman, Sloan & Shirley 2013.
Vec3d response(double x) {
  return {1.056 * lobe(x, 599.8, 37.9, 31.0) + 0.362 * lobe(x, 442.0, 16.0, 26.7) - 0.065 * lobe(x, 501.1, 20.4, 26.2),
          0.821 * lobe(x, 568.8, 46.9, 40.5) + 0.286 * lobe(x, 530.9, 16.3, 31.1),
          1.217 * lobe(x, 437.0, 11.8, 36.0) + 0.681 * lobe(x, 459.0, 26.0, 13.8)};
}

/// On film, the largest part 1.
Colour on_film(double kelvin) {
  const Colour hue = planck_hue(kelvin), white = planck_hue(film_white);
  const Colour seen{hue.x / white.x, hue.y / white.y, hue.z / white.z};
  const float most = std::max({seen.x, seen.y, seen.z});
  return seen * ((1 - crosstalk) / most) + Colour{crosstalk, crosstalk, crosstalk};
}

const std::array<Colour, steps + 1>& hues() {
  static const std::array<Colour, steps + 1> table = [] {
    std::array<Colour, steps + 1> out;
    for (int i = 0; i <= steps; ++i) out[std::size_t(i)] = on_film(coldest + step * i);
    return out;
  }();
  return table;
}

}  // namespace

Colour planck_hue(double kelvin) {
  constexpr double second_constant = 1.438777e7;  // h c / k [nm K]
  Vec3d xyz{};
  for (double x = 380; x <= 780; x += 5)
    xyz += response(x) * (std::pow(x, -5.0) / std::expm1(second_constant / (x * kelvin)));
  const Vec3d rgb{3.2406 * xyz.x - 1.5372 * xyz.y - 0.4986 * xyz.z, -0.9689 * xyz.x + 1.8758 * xyz.y + 0.0415 * xyz.z,
                  0.0557 * xyz.x - 0.2040 * xyz.y + 1.0570 * xyz.z};
  const double most = std::max({rgb.x, rgb.y, rgb.z});
  return {float(std::max(rgb.x / most, 0.0)), float(std::max(rgb.y / most, 0.0)), float(std::max(rgb.z / most, 0.0))};
}

Colour black_body(float kelvin) {
  if (!(kelvin > float(coldest))) return {};
  const float s = (kelvin - float(coldest)) / 750;
  const float at = std::min((kelvin - float(coldest)) / float(step), float(steps - 1));
  const auto i = std::size_t(at);
  const float t = at - float(i);
  return (hues()[i] * (1 - t) + hues()[i + 1] * t) * (6 * s * s);
}

}  // namespace silt

#include "silt/render/image.h"

#include <algorithm>
#include <cmath>

namespace silt {

float to_srgb(float linear) {
  return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

float from_srgb(float encoded) {
  return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

Colour from_hex(std::uint32_t rgb) {
  const auto channel = [&](int shift) { return from_srgb(float((rgb >> shift) & 255) / 255); };
  return {channel(16), channel(8), channel(0)};
}

namespace {

float shoulder(float x) {
  constexpr float knee = 0.55f;  // above it: knee + (1 - knee) (1 - exp(-(x - knee) / (1 - knee))), slope 1 at the knee
  return x <= knee ? x : 1 - (1 - knee) * std::exp((knee - x) / (1 - knee));
}

/// Threshold in (0, 1) whose neighbours differ much: interleaved gradient noise [Jimenez 2014], cheap and close to
/// blue.
float dither_threshold(int x, int y) {
  const double inner = 0.06711056 * x + 0.00583715 * y;
  const double value = 52.9829189 * (inner - std::floor(inner));
  constexpr float edge = 2e-3f;  // keeps values that are an integer up to rounding on that integer
  return std::clamp(float(value - std::floor(value)), edge, 1 - edge);
}

}  // namespace

Colour tone_map(Colour radiance, float exposure) {
  const Colour c = radiance * exposure;
  return {shoulder(c.x), shoulder(c.y), shoulder(c.z)};
}

std::vector<std::uint8_t> to_bytes(const Image& image) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(std::size_t(image.width()) * image.height() * 3);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) {
      const float threshold = dither_threshold(x, y);
      for (int channel = 0; channel < 3; ++channel) {
        const float linear = image.at(x, y)[channel];
        const float level = linear > 0 ? 255 * to_srgb(std::min(linear, 1.0f)) : 0;  // NaN is black
        bytes.push_back(std::uint8_t(std::min(255.0f, level + threshold)));
      }
    }
  return bytes;
}

}  // namespace silt

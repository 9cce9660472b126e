#pragma once

#include <cstdint>
#include <vector>

#include "silt/core/vec.h"

namespace silt {

/// Linear RGB, 0 black to 1 white; what is shown is clamped to that range.
using Colour = Vec3f;

/// A picture of linear light, row 0 at the top.
class Image {
 public:
  Image() = default;
  Image(int width, int height, Colour fill = {})
      : width_(width), height_(height), pixels_(std::size_t(width) * height, fill) {}

  int width() const { return width_; }
  int height() const { return height_; }
  Colour& at(int x, int y) { return pixels_[std::size_t(y) * width_ + x]; }
  const Colour& at(int x, int y) const { return pixels_[std::size_t(y) * width_ + x]; }

  /// Mixes `c` over a pixel; pixels outside the picture are ignored.
  void blend(int x, int y, Colour c, float cover) {
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
    Colour& p = at(x, y);
    p = p * (1 - cover) + c * cover;
  }

  friend bool operator==(const Image&, const Image&) = default;

 private:
  int width_ = 0, height_ = 0;
  std::vector<Colour> pixels_;
};

/// The sRGB transfer curve and its inverse, for one channel in [0, 1].
float to_srgb(float linear);
float from_srgb(float encoded);

/// A colour as designers write it: 0xff8800.
Colour from_hex(std::uint32_t rgb);

/// Radiance to what a screen can show: linear up to mid-tones, then a shoulder that nears 1 and never clips.
Colour tone_map(Colour radiance, float exposure);

/// 8-bit sRGB, three bytes a pixel. Dithered by a fixed pattern, so that slow gradients do not band; colours that 8
/// bits hold exactly are left alone.
std::vector<std::uint8_t> to_bytes(const Image& image);

std::vector<std::uint8_t> encode_png(const Image& image);
/// An 8-bit RGB picture back to linear light. Throws IoError when the bytes are not a readable PNG.
Image decode_png(const std::vector<std::uint8_t>& bytes);

}  // namespace silt

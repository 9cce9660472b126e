#include <png.h>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/image.h"

namespace silt {

namespace {

/// libpng's simplified interface: plain calls, no longjmp. Frees what libpng allocated.
struct Png {
  png_image image{};
  Png() { image.version = PNG_IMAGE_VERSION; }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
  ~Png() { png_image_free(&image); }
};

}  // namespace

std::vector<std::uint8_t> encode_png(const Image& image) {
  const std::vector<std::uint8_t> pixels = to_bytes(image);
  Png png;
  png.image.width = png_uint_32(image.width());
  png.image.height = png_uint_32(image.height());
  png.image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png.image);
  std::vector<std::uint8_t> bytes(size);
  if (!png_image_write_to_memory(&png.image, bytes.data(), &size, 0, pixels.data(), 0, nullptr))
    throw IoError(str("the picture could not be encoded as PNG: ", png.image.message));
  bytes.resize(size);
  return bytes;
}

Image decode_png(const std::vector<std::uint8_t>& bytes) {
  Png png;
  if (!png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size()))
    throw IoError(str("not a readable PNG: ", png.image.message));
  png.image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(png.image));
  if (!png_image_finish_read(&png.image, nullptr, pixels.data(), 0, nullptr))
    throw IoError(str("not a readable PNG: ", png.image.message));

  Image image(int(png.image.width), int(png.image.height));
  const std::uint8_t* byte = pixels.data();
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      for (int channel = 0; channel < 3; ++channel) image.at(x, y)[channel] = from_srgb(float(*byte++) / 255);
  return image;
}

}  // namespace silt

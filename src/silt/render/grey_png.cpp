#include "silt/render/grey_png.h"

#include <png.h>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

struct Png {
  png_image image{};
  Png() { image.version = PNG_IMAGE_VERSION; }
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
  ~Png() { png_image_free(&image); }
};

}  // namespace

GreyImage decode_grey_png(const std::vector<std::uint8_t>& bytes, std::int64_t most) {
  Png png;
  if (!png_image_begin_read_from_memory(&png.image, bytes.data(), bytes.size()))
    throw IoError(str("not a readable PNG: ", png.image.message));
  const std::int64_t pixels = std::int64_t(png.image.width) * png.image.height;
  if (pixels > most)
    throw IoError(str("the picture is too large: ", png.image.width, " x ", png.image.height, " pixels"));
  GreyImage out{int(png.image.width), int(png.image.height), std::vector<float>(std::size_t(pixels))};
  // Two numbers a pixel, so that alpha does not mix into the first: libpng has it multiplied in only for 16 bits.
  if (png.image.format & PNG_FORMAT_FLAG_LINEAR) {
    png.image.format = PNG_FORMAT_LINEAR_Y_ALPHA;
    std::vector<std::uint16_t> values(2 * std::size_t(pixels));
    if (!png_image_finish_read(&png.image, nullptr, values.data(), 0, nullptr))
      throw IoError(str("not a readable PNG: ", png.image.message));
    for (std::size_t i = 0; i < out.values.size(); ++i)
      out.values[i] = values[2 * i + 1] ? float(values[2 * i]) / float(values[2 * i + 1]) : 0;
  } else {
    png.image.format = PNG_FORMAT_GA;
    std::vector<std::uint8_t> values(2 * std::size_t(pixels));
    if (!png_image_finish_read(&png.image, nullptr, values.data(), 0, nullptr))
      throw IoError(str("not a readable PNG: ", png.image.message));
    for (std::size_t i = 0; i < out.values.size(); ++i) out.values[i] = float(values[2 * i]) / 255;
  }
  return out;
}

}  // namespace silt

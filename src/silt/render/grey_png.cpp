#include "silt/render/grey_png.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <string>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {
namespace {

constexpr std::uint64_t deflate_packs = 1032;  // bytes into one, at the most

/// A picture as it stands in the file: its numbers, whatever gamma it claims. libpng's simple interface would convert.
struct Decoder {
  const std::uint8_t* next;
  std::size_t left;
  std::int64_t most;
  char problem[256] = "";
  png_uint_32 width = 0, height = 0;
  int channels = 1, bytes_each = 1;
  std::size_t row_bytes = 0;
  std::vector<std::uint8_t> samples{};
  std::vector<png_bytep> rows{};
};

void keep_problem(Decoder& decoder, const char* message) {
  std::strncpy(decoder.problem, message, sizeof decoder.problem - 1);
}

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  keep_problem(*static_cast<Decoder*>(png_get_error_ptr(png)), message);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void take_bytes(png_structp png, png_bytep out, std::size_t count) {
  Decoder& decoder = *static_cast<Decoder*>(png_get_io_ptr(png));
  if (count > decoder.left) png_error(png, "it ends too early");
  std::memcpy(out, decoder.next, count);
  decoder.next += count, decoder.left -= count;
}

/// Grey or red, green and blue, 8 or 16 bits each, without alpha.
void read_samples(png_structp png, png_infop info, Decoder& decoder) {
  png_set_read_fn(png, &decoder, take_bytes);
  png_read_info(png, info);
  decoder.width = png_get_image_width(png, info);
  decoder.height = png_get_image_height(png, info);
  if (std::int64_t(decoder.width) * decoder.height > decoder.most) return;
  const std::uint64_t claimed = std::uint64_t(png_get_rowbytes(png, info)) * decoder.height;
  if (claimed > deflate_packs * (decoder.left + 100)) png_error(png, "it is too short for the picture that it claims");
  const int type = png_get_color_type(png, info);
  if (type == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png);
  if (type == PNG_COLOR_TYPE_GRAY && png_get_bit_depth(png, info) < 8) png_set_expand_gray_1_2_4_to_8(png);
  png_set_strip_alpha(png);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  decoder.channels = png_get_channels(png, info);
  decoder.bytes_each = png_get_bit_depth(png, info) / 8;
  decoder.row_bytes = png_get_rowbytes(png, info);
  decoder.samples.resize(decoder.row_bytes * decoder.height);
  decoder.rows.resize(decoder.height);
  for (std::size_t y = 0; y < decoder.height; ++y) decoder.rows[y] = decoder.samples.data() + y * decoder.row_bytes;
  png_read_image(png, decoder.rows.data());
}

/// Everything with a destructor lives in the decoder, which stands outside: libpng leaves by longjmp.
bool decode(Decoder& decoder) {
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  if (!info) {
    png_destroy_read_struct(&png, nullptr, nullptr);
    keep_problem(decoder, "out of memory");
    return false;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, nullptr);
    return false;
  }
  read_samples(png, info, decoder);
  png_destroy_read_struct(&png, &info, nullptr);
  return true;
}

/// One sample, 0 to 1.
float sample(const std::uint8_t* at, int bytes) {
  return bytes == 2 ? float(at[0] << 8 | at[1]) / 65535 : float(at[0]) / 255;
}

/// How bright red, green and blue are to the eye (Rec. 709).
constexpr float luminance[3] = {0.2126f, 0.7152f, 0.0722f};

}  // namespace

GreyImage decode_grey_png(std::span<const std::uint8_t> bytes, std::int64_t most) {
  Decoder decoder{.next = bytes.data(), .left = bytes.size(), .most = most};
  if (!decode(decoder)) throw IoError(str("not a readable PNG: ", decoder.problem));
  if (decoder.rows.empty())
    throw IoError(str("the picture is too large: ", decoder.width, " x ", decoder.height, " pixels, and the limit is ",
                      most, " in all"));
  GreyImage out{int(decoder.width), int(decoder.height), {}};
  out.values.reserve(std::size_t(decoder.width) * decoder.height);
  const int step = decoder.channels * decoder.bytes_each;
  for (const png_bytep row : decoder.rows)
    for (std::size_t x = 0; x < decoder.width; ++x) {
      const std::uint8_t* pixel = row + x * step;
      float value = decoder.channels == 1 ? sample(pixel, decoder.bytes_each) : 0;
      for (int c = 0; c < 3 && decoder.channels == 3; ++c)
        value += luminance[c] * sample(pixel + c * decoder.bytes_each, decoder.bytes_each);
      out.values.push_back(value);
    }
  return out;
}

}  // namespace silt

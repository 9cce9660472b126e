#include "silt/render/jpeg.h"

#include <fstream>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/ffmpeg.h"

namespace fs = std::filesystem;

namespace silt {

void write_jpeg(const Image& image, const fs::path& out) {
  fs::path png = out;
  png += ".png";
  const std::vector<std::uint8_t> bytes = encode_png(image);
  std::ofstream(png, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  run_ffmpeg({"-i", ffmpeg_input(png), "-frames:v", "1", "-vf", "scale=out_range=full,format=yuvj444p", "-q:v", "2",
              "-map_metadata", "-1", "-fflags", "+bitexact", "-f", "mjpeg"},
             out, "make the picture", str("the picture is ", png.string()));
  std::error_code ignored;
  fs::remove(png, ignored);
}

}  // namespace silt

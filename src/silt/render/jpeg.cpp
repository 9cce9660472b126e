#include "silt/render/jpeg.h"

#include <fstream>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/ffmpeg.h"

namespace fs = std::filesystem;

namespace silt {

void write_jpeg(const Image& image, const fs::path& out) {
  fs::path png = out, unfinished = out;  // what has the name is whole
  png += ".png", unfinished += ".part";
  const std::vector<std::uint8_t> bytes = encode_png(image);
  std::ofstream file(png, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  file.close();
  if (!file) throw IoError(str("cannot write ", png.string()));
  run_ffmpeg({"-f", "image2", "-pattern_type", "none", "-i", "file:" + png.string(), "-frames:v", "1", "-vf",
              "scale=out_range=full,format=yuvj444p", "-q:v", "2", "-map_metadata", "-1", "-fflags", "+bitexact", "-f",
              "mjpeg"},
             unfinished, "make the picture", str("the picture is ", png.string()));
  std::error_code ignored, error;
  fs::remove(png, ignored);
  fs::rename(unfinished, out, error);
  if (error) throw IoError(str("cannot write ", out.string(), ": ", error.message()));
}

}  // namespace silt

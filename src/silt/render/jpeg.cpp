#include "silt/render/jpeg.h"

#include "silt/cache/file_ops.h"
#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/ffmpeg.h"

namespace fs = std::filesystem;

namespace silt {

void write_jpeg(const Image& image, const fs::path& out) {
  const std::vector<std::uint8_t> png = encode_png(image);
  const Folder folder(out.has_parent_path() ? out.parent_path() : fs::path("."));
  const auto give = [&](const Feed& feed) { feed({reinterpret_cast<const char*>(png.data()), png.size()}); };
  const Bytes jpeg = run_ffmpeg({"-f", "image2pipe", "-c:v", "png", "-i", "pipe:0", "-frames:v", "1", "-vf",
                                 "scale=out_range=full,format=yuvj444p", "-q:v", "2", "-map_metadata", "-1", "-fflags",
                                 "+bitexact", "-f", "mjpeg"},
                                give, folder, "make the picture", str(out.string(), " is as it was"));
  folder.write(out.filename().string(), jpeg.text());
}

}  // namespace silt

#include "silt/render/film.h"

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/ffmpeg.h"

namespace silt {

Bytes make_film(std::size_t count, const PictureSource& picture, double fps, const Folder& folder) {
  if (count == 0) throw Error("there are no pictures to make a film of");
  const auto give = [&](const Feed& feed) {
    for (std::size_t i = 0; i < count; ++i)
      if (!feed(picture(i).text())) break;  // ffmpeg has ended, and says why
  };
  // clang-format off
  return run_ffmpeg({
      "-f", "image2pipe", "-framerate", str(fps), "-c:v", "png", "-i", "pipe:0",
      "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2:out_color_matrix=bt709,format=yuv420p",  // even sizes, as H.264 needs
      "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
      "-c:v", "libx264", "-preset", "medium", "-crf", "16", "-movflags", "+faststart",
      "-map_metadata", "-1", "-fflags", "+bitexact", "-f", "mp4",
  }, give, folder, "make the film", str("pictures are in ", folder.path().string()));
  // clang-format on
}

}  // namespace silt

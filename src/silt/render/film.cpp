#include "silt/render/film.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/ffmpeg.h"

namespace fs = std::filesystem;

namespace silt {

namespace {

/// ffmpeg wants pictures numbered without a gap: a folder of links 1.png, 2.png, ... to them, gone with this object.
class NumberedLinks {
 public:
  explicit NumberedLinks(const std::vector<fs::path>& pictures) {
    try {
      std::string name = (fs::temp_directory_path() / "silt-film-XXXXXX").string();
      if (!mkdtemp(name.data())) throw Error(str("cannot make a folder ", name, ": ", std::strerror(errno)));
      folder_ = name;
      for (std::size_t i = 0; i < pictures.size(); ++i)
        fs::create_symlink(fs::absolute(pictures[i]), folder_ / str(i + 1, ".png"));
    } catch (const fs::filesystem_error& e) {
      remove();
      throw Error(str("cannot gather the pictures for the film: ", e.what()));
    }
  }
  ~NumberedLinks() { remove(); }
  NumberedLinks(const NumberedLinks&) = delete;
  NumberedLinks& operator=(const NumberedLinks&) = delete;
  std::string pattern() const { return ffmpeg_input(folder_) + "/%d.png"; }

 private:
  void remove() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  fs::path folder_;
};

}  // namespace

void make_film(const std::vector<fs::path>& pictures, double fps, const fs::path& out) {
  if (pictures.empty()) throw Error("there are no pictures to make a film of");
  const NumberedLinks links(pictures);
  // clang-format off
  run_ffmpeg({
      "-f", "image2", "-framerate", str(fps), "-start_number_range", "1", "-start_number", "1", "-i", links.pattern(),
      "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2:out_color_matrix=bt709,format=yuv420p",  // even sizes, as H.264 needs
      "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
      "-c:v", "libx264", "-preset", "medium", "-crf", "16", "-movflags", "+faststart",
      "-map_metadata", "-1", "-fflags", "+bitexact", "-f", "mp4",
  }, out, "make the film", str("pictures are in ", pictures.front().parent_path().string()));
  // clang-format on
}

}  // namespace silt

#include "silt/app/run_film.h"

#include <algorithm>
#include <map>
#include <vector>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/film.h"

namespace fs = std::filesystem;

namespace silt {

RunFilm write_film(RunFolder& folder, double fps) {
  folder.refresh();  // a run does not know what was rendered beside it
  std::map<int, fs::path> by_frame;
  for (const ManifestEntry& e : folder.manifest().entries())
    if (std::error_code ignored; e.kind == "picture" && fs::exists(folder.path() / e.name, ignored))
      by_frame[e.frame] = folder.path() / e.name;
  if (by_frame.empty()) throw Error(str(folder.path().string(), " has no pictures to make a film of"));

  const RunFilm film{by_frame.begin()->first, by_frame.rbegin()->first, int(by_frame.size())};
  int step = film.pictures > 1 ? film.last - film.first : 1;
  std::vector<fs::path> pictures;
  for (auto at = by_frame.begin(); at != by_frame.end(); ++at) {
    pictures.push_back(at->second);
    if (const auto next = std::next(at); next != by_frame.end()) step = std::min(step, next->first - at->first);
  }
  make_film(pictures, fps / step, temporary_name(folder.path() / RunFolder::film_name()));
  folder.adopt(RunFolder::film_name(), "film", film.last);
  return film;
}

}  // namespace silt

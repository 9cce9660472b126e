#include "silt/app/run_film.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <vector>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/film.h"

namespace fs = std::filesystem;

namespace silt {

namespace {

/// Of a PNG, as its first chunk has it: "1280x720". Its numbers have their highest byte first.
std::string size_of(const fs::path& png) {
  std::array<char, 24> head{};
  std::ifstream(png, std::ios::binary).read(head.data(), head.size());
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::uint8_t(head[at + i]);
    return value;
  };
  return str(number(16), 'x', number(20));
}

}  // namespace

std::string left_out_text(const RunFilm& film) {
  if (film.left_out.empty()) return "";
  const bool one = film.left_out.size() == 1;
  std::string frames;
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(most, film.left_out.size()); ++i) frames += str(i ? ", " : "", film.left_out[i]);
  if (film.left_out.size() > most) frames += str(" and ", film.left_out.size() - most, " more");
  return str(one ? "frame " : "frames ", frames, one ? " is" : " are",
             " left out of the film: ", one ? "its picture is" : "their pictures are", " not ", film.size,
             " as those in it");
}

RunFilm write_film(RunFolder& folder, double fps) {
  folder.refresh();  // a run does not know what was rendered beside it
  std::map<std::string, std::map<int, fs::path>> by_size;
  std::string latest;
  for (const ManifestEntry& e : folder.manifest().entries())
    if (std::error_code ignored; e.kind == "picture" && fs::exists(folder.path() / e.name, ignored))
      by_size[latest = size_of(folder.path() / e.name)][e.frame] = folder.path() / e.name;
  if (by_size.empty()) throw Error(str(folder.path().string(), " has no pictures to make a film of"));

  std::string size = latest;
  for (const auto& [other, pictures] : by_size)
    if (pictures.size() > by_size[size].size()) size = other;
  const std::map<int, fs::path>& by_frame = by_size[size];
  RunFilm film{by_frame.begin()->first, by_frame.rbegin()->first, int(by_frame.size()), {}, size};
  for (const auto& [other, pictures] : by_size)
    for (const auto& [frame, path] : pictures)
      if (other != size) film.left_out.push_back(frame);
  std::sort(film.left_out.begin(), film.left_out.end());
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

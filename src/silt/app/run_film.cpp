#include "silt/app/run_film.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "silt/core/error.h"
#include "silt/core/text.h"
#include "silt/render/film.h"

namespace silt {

namespace {

/// Of a PNG, as its first chunk has it: "1280x720". Its numbers have their highest byte first.
std::string size_of(const RunFolder& folder, const std::string& png) {
  constexpr std::size_t head_size = 24;
  const Bytes head = folder.directory().read_head(png, head_size);
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = at; i < at + 4; ++i)
      value = value << 8 | (i < head.size() ? std::uint8_t(head.data()[i]) : 0u);
    return value;
  };
  return str(number(16), 'x', number(20));
}

using Pictures = std::map<int, std::string>;  // by frame, their names

/// The pictures that are whole, by size, and the size of the latest.
std::map<std::string, Pictures> whole_pictures(const RunFolder& folder, std::string& latest, RunFilm& film) {
  std::map<std::string, Pictures> by_size;
  for (const ManifestEntry& e : folder.manifest().entries()) {
    if (e.kind != "picture" || !folder.directory().has(e.name)) continue;
    if (const std::string problem = folder.manifest().problem(e); !problem.empty())
      film.damaged.push_back(problem);
    else
      by_size[latest = size_of(folder, e.name)][e.frame] = e.name;
  }
  return by_size;
}

/// Frames from one picture to the next, at least.
int smallest_step(const Pictures& pictures) {
  int step = std::max(1, pictures.rbegin()->first - pictures.begin()->first);
  for (auto at = pictures.begin(), next = std::next(at); next != pictures.end(); at = next++)
    step = std::min(step, next->first - at->first);
  return step;
}

}  // namespace

std::string left_out_text(const RunFilm& film) {
  std::string damaged;
  for (const std::string& problem : film.damaged) damaged += str(damaged.empty() ? "" : "\n  ", problem);
  if (!damaged.empty()) damaged += ": left out of the film (`silt render` makes it again)";
  if (film.left_out.empty()) return damaged;
  if (!damaged.empty()) damaged += "\n  ";
  const bool one = film.left_out.size() == 1;
  std::string frames;
  constexpr std::size_t most = 8;
  for (std::size_t i = 0; i < std::min(most, film.left_out.size()); ++i) frames += str(i ? ", " : "", film.left_out[i]);
  if (film.left_out.size() > most) frames += str(" and ", film.left_out.size() - most, " more");
  return str(damaged, one ? "frame " : "frames ", frames, one ? " is" : " are",
             " left out of the film: ", one ? "its picture is" : "their pictures are", " not ", film.size,
             " as those in it");
}

RunFilm write_film(RunFolder& folder, double fps) {
  folder.refresh();  // a run does not know what was rendered beside it
  RunFilm film;
  std::string latest;
  const std::map<std::string, Pictures> by_size = whole_pictures(folder, latest, film);
  if (by_size.empty()) throw Error(str(folder.path().string(), " has no pictures to make a film of"));

  film.size = latest;
  for (const auto& [size, pictures] : by_size)
    if (pictures.size() > by_size.at(film.size).size()) film.size = size;
  const Pictures& chosen = by_size.at(film.size);
  film.first = chosen.begin()->first, film.last = chosen.rbegin()->first, film.pictures = int(chosen.size());
  for (const auto& [size, pictures] : by_size)
    for (const auto& [frame, name] : pictures)
      if (size != film.size) film.left_out.push_back(frame);
  std::sort(film.left_out.begin(), film.left_out.end());

  std::vector<std::string> names;
  for (const auto& [frame, name] : chosen) names.push_back(name);
  const auto picture = [&](std::size_t i) { return folder.manifest().read_verified(names[i]); };
  const Bytes bytes =
      make_film(names.size(), picture, fps / smallest_step(chosen), *folder.directory().sub("pictures"));
  folder.write_file(RunFolder::film_name(), "film", film.last, bytes.text());
  return film;
}

}  // namespace silt

#include "silt/app/frame_range.h"

#include <charconv>

#include "silt/core/error.h"
#include "silt/core/text.h"

namespace silt {

std::optional<IntPair> parse_pair(std::string_view text, char between) {
  const auto number = [](std::string_view part) {
    int value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc() && end == part.data() + part.size() ? value : 0;
  };
  const auto at = text.find(between);
  if (at == std::string_view::npos) return {};
  const IntPair pair{number(text.substr(0, at)), number(text.substr(at + 1))};
  if (pair.first < 1 || pair.second < 1) return {};
  return pair;
}

std::vector<int> chosen_frames(const RunFolder& folder, const std::string& range, FrameParts parts) {
  std::vector<int> frames = folder.frames(parts);
  if (frames.empty()) throw InputError(str(folder.path().string(), " has nothing of that kind in its cache"));
  if (!range.empty()) {
    const auto pair = parse_pair(range.find('-') == std::string::npos ? range + '-' + range : range, '-');
    if (!pair || pair->first > pair->second)
      throw InputError(str("--frames takes a range like 1-48, not '", range, "'"));
    const int first = frames.front(), last = frames.back();
    std::erase_if(frames, [&](int frame) { return frame < pair->first || frame > pair->second; });
    if (frames.empty())
      throw InputError(
          str("the cache has no frame in ", range, ": it has ", first == last ? str(first) : str(first, " to ", last)));
  }
  if (folder.in_use_by() != 0) {
    std::erase_if(frames, [done = folder.status().frame](int frame) { return frame > done; });
    if (frames.empty())
      throw InputError(str("the run in ", folder.path().string(),
                           range.empty() ? " has not finished a frame yet" : " has not finished these frames yet",
                           ": try again a little later"));
  }
  return frames;
}

}  // namespace silt

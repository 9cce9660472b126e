#include "silt/cache/checkpoint_list.h"

#include <algorithm>
#include <charconv>

#include "silt/cache/frame_name.h"
#include "silt/core/text.h"

namespace silt {
namespace {

constexpr std::string_view beginning = "checkpoints/", ending = ".safetensors";

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string checkpoint_name(CheckpointPlace place) {
  return str(beginning, frame_digits(place.frame), place.turn > 1 ? str('-', place.turn) : "", ending);
}

std::optional<CheckpointPlace> checkpoint_place(std::string_view name) {
  if (!name.starts_with(beginning) || !name.ends_with(ending)) return {};
  name.remove_prefix(beginning.size()), name.remove_suffix(ending.size());
  const std::size_t dash = name.find('-');
  const auto frame = number(name.substr(0, dash));
  const auto turn = dash == name.npos ? std::optional(1) : number(name.substr(dash + 1));
  if (!frame || !turn || name.substr(0, dash).size() < 4) return {};
  return CheckpointPlace{*frame, *turn};
}

std::vector<CheckpointFile> checkpoint_files(const Manifest& manifest) {
  std::vector<CheckpointFile> files;
  for (const ManifestEntry& e : manifest.entries_named(beginning))
    if (const auto place = checkpoint_place(e.name)) files.push_back({e.name, *place, true});
  if (const auto& folder = manifest.directory().sub("checkpoints"))
    for (const std::string& entry : folder->files()) {
      const std::string name = str(beginning, entry);
      if (const auto place = checkpoint_place(name); place && !manifest.find(name)) files.push_back({name, *place});
    }
  std::sort(files.begin(), files.end(),
            [](const CheckpointFile& a, const CheckpointFile& b) { return a.place < b.place; });
  return files;
}

}  // namespace silt

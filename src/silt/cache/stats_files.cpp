#include "silt/cache/stats_files.h"

#include <nlohmann/json.hpp>

#include "silt/cache/json_line.h"
#include "silt/cache/limits.h"

namespace silt {
namespace {

/// Of silt's own making, to the letter: the members before it need not be parsed to find it.
constexpr std::string_view member = ", \"files\": [";

/// Those at the end of a line, each as its line of the manifest; none unless all are whole.
std::vector<ManifestEntry> files_in_line(std::string_view line) {
  const std::size_t at = line.rfind(member);
  if (at == std::string_view::npos || !line.ends_with("]}") || line.size() > longest_stats_line) return {};
  line.remove_suffix(2);
  line.remove_prefix(at + member.size());
  std::vector<ManifestEntry> files;
  while (!line.empty()) {
    const std::size_t end = line.find('}');  // an entry has no object in it, and no name has a brace
    const auto entry = end == std::string_view::npos ? std::nullopt : parse_manifest_line(line.substr(0, end + 1));
    if (!entry) return {};
    files.push_back(*entry);
    line.remove_prefix(end + 1);
    if (line.starts_with(", ")) line.remove_prefix(2);
  }
  return files;
}

}  // namespace

std::string with_files(std::string_view line, const std::vector<std::string>& files) {
  std::string text(line);
  if (files.empty() || !text.ends_with('}')) return text;
  text.pop_back();
  text += member;
  for (const std::string& file : files) text += (&file == &files.front() ? "" : ", ") + file;
  return text + "]}";
}

std::vector<ManifestEntry> files_in_stats(std::string_view text) {
  std::vector<ManifestEntry> files;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1))
    for (ManifestEntry& e : files_in_line(text.substr(0, end))) files.push_back(std::move(e));
  return files;
}

}  // namespace silt

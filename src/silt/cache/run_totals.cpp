#include "silt/cache/run_totals.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "silt/cache/folder.h"
#include "silt/cache/json_line.h"
#include "silt/cache/limits.h"

namespace silt {

RunTotals totals_of(const std::filesystem::path& run_folder) {
  RunTotals totals;
  const Folder folder(run_folder);
  if (!folder.has("stats.jsonl")) return totals;
  const Bytes bytes = folder.read("stats.jsonl", largest_stats);
  std::string_view text = bytes.text();
  for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
    const Json frame = parse_json(text.substr(0, end));
    if (!frame.is_object() || !frame.contains("frame")) continue;
    totals.frames += 1;
    const auto count = [&](const char* name) {
      const auto at = frame.find(name);
      return at != frame.end() && at->is_number() ? at->get<std::int64_t>() : 0;
    };
    totals.cells = std::max(totals.cells, count("cells"));
    totals.particles = std::max(totals.particles, count("particles"));
    if (const auto seconds = frame.find("seconds"); seconds != frame.end())
      for (const Json& s : *seconds)
        if (s.is_number()) totals.seconds += s.get<double>();
  }
  return totals;
}

}  // namespace silt

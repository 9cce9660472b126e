#include "silt/cache/run_totals.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace silt {

RunTotals totals_of(const std::filesystem::path& run_folder) {
  RunTotals totals;
  std::ifstream in(run_folder / "stats.jsonl");
  for (std::string line; std::getline(in, line);) {
    const nlohmann::json frame = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!frame.is_object() || !frame.contains("frame")) continue;
    totals.frames += 1;
    const auto count = [&](const char* name) {
      const auto at = frame.find(name);
      return at != frame.end() && at->is_number() ? at->get<std::int64_t>() : 0;
    };
    totals.cells = std::max(totals.cells, count("cells"));
    totals.particles = std::max(totals.particles, count("particles"));
    if (const auto seconds = frame.find("seconds"); seconds != frame.end())
      for (const nlohmann::json& s : *seconds)
        if (s.is_number()) totals.seconds += s.get<double>();
  }
  return totals;
}

}  // namespace silt

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
    totals.cells = std::max(totals.cells, frame.value("cells", std::int64_t(0)));
    totals.particles = std::max(totals.particles, frame.value("particles", std::int64_t(0)));
    if (const auto seconds = frame.find("seconds"); seconds != frame.end())
      for (const nlohmann::json& s : *seconds)
        if (s.is_number()) totals.seconds += s.get<double>();
  }
  return totals;
}

}  // namespace silt

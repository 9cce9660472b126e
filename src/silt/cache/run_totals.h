#pragma once

#include <cstdint>
#include <filesystem>

namespace silt {

/// What the lines of stats.jsonl add up to.
struct RunTotals {
  int frames = 0;
  double seconds = 0;          ///< of all stages, on the wall
  std::int64_t cells = 0;      ///< at most, in a frame
  std::int64_t particles = 0;  ///< at most
};

/// Lines that are not what silt writes are passed over; all 0 when there is no such file.
RunTotals totals_of(const std::filesystem::path& run_folder);

}  // namespace silt

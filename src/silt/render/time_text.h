#pragma once

#include <cstdio>
#include <string>

namespace silt {

/// "1.25 s"; of runs whose frames are close together, "1.25 ms" or "1.25 us", so that each frame has its own.
inline std::string time_text(double seconds, double seconds_per_frame) {
  struct Unit {
    const char* name;
    double seconds;
  };
  constexpr Unit units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};
  const Unit* unit = units;
  while (seconds_per_frame > 0 && seconds_per_frame < 5e-3 * unit->seconds && unit != units + 2) ++unit;
  char text[48];
  std::snprintf(text, sizeof text, "%.2f %s", seconds / unit->seconds, unit->name);
  return text;
}

}  // namespace silt

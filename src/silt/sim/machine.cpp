#include "silt/sim/machine.h"

#include <cstdio>
#include <fstream>

namespace silt {

Machine this_machine() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::int64_t kilobytes = 0;
  for (std::string line; file >> key >> kilobytes && std::getline(file, line);)
    if (key == "MemTotal:") return {kilobytes * 1024};
  return {};
}

std::string bytes_text(double bytes) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; unit < 5 && bytes >= 999.5; ++unit) bytes /= 1000;
  char text[64];
  std::snprintf(text, sizeof text, unit == 0 || bytes >= 99.95 ? "%.0f %s" : "%.3g %s", bytes, units[unit]);
  return text;
}

}  // namespace silt

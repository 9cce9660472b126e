#include "silt/sim/machine.h"

#include <sys/resource.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>

namespace silt {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// The number after a key, as in "MemTotal:  24689532 kB" and "inactive_file 4096"; 0 when it is not there.
std::int64_t number_after(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  std::string word;
  std::int64_t number = 0;
  for (std::string rest; in >> word; std::getline(in, rest))
    if (word == key && in >> number) return number;
  return 0;
}

/// A file that holds one number. Nothing for "max", and when there is no such file.
std::optional<std::int64_t> number_in(const fs::path& file) {
  std::int64_t number = 0;
  std::ifstream in(file);
  if (in >> number) return number;
  return {};
}

/// What a control group allows. Files in the page cache that nobody has used lately count as used by the group, and are
/// given up for whoever needs the room.
void bound_by(const fs::path& group, const char* most, const char* used, const char* idle_key, Machine& machine) {
  const std::optional<std::int64_t> limit = number_in(group / most);
  if (!limit) return;
  const std::int64_t idle = number_after(group / "memory.stat", idle_key);
  const std::int64_t in_use = std::max<std::int64_t>(0, number_in(group / used).value_or(0) - idle);
  machine.memory_bytes = std::min(machine.memory_bytes, *limit);
  machine.available_bytes = std::min(machine.available_bytes, std::max<std::int64_t>(0, *limit - in_use));
}

/// The groups of this process: a line "0::/user/one" of version 2, "4:memory:/user/one" of version 1. What holds for a
/// group holds for those in it.
void bound_by_groups(const fs::path& root, Machine& machine) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool second_version = controllers.empty();
    if (!second_version && controllers != "memory") continue;
    const fs::path top = root / (second_version ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    for (;; group = group.parent_path()) {
      if (second_version)
        bound_by(top / group, "memory.max", "memory.current", "inactive_file", machine);
      else
        bound_by(top / group, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", machine);
      if (group.empty()) break;
    }
  }
}

/// `ulimit -v`: of address space, of which some is taken already.
void bound_by_own_limit(const fs::path& root, Machine& machine) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const auto most = std::int64_t(std::min<rlim_t>(limit.rlim_cur, rlim_t(unlimited)));
  const std::int64_t taken = number_after(root / "proc/self/status", "VmSize:") * 1024;
  machine.memory_bytes = std::min(machine.memory_bytes, most);
  machine.available_bytes = std::min(machine.available_bytes, std::max<std::int64_t>(0, most - taken));
}

}  // namespace

Machine this_machine(const fs::path& root) {
  const auto known = [](std::int64_t kilobytes) { return kilobytes > 0 ? kilobytes * 1024 : unlimited; };
  Machine out{known(number_after(root / "proc/meminfo", "MemTotal:")),
              known(number_after(root / "proc/meminfo", "MemAvailable:"))};
  bound_by_groups(root, out);
  bound_by_own_limit(root, out);
  out.available_bytes = std::min(out.available_bytes, out.memory_bytes);
  if (out.memory_bytes == unlimited) out.memory_bytes = 0;
  if (out.available_bytes == unlimited) out.available_bytes = 0;
  return out;
}

std::int64_t free_disk_bytes(const fs::path& folder) {
  std::error_code ignored;
  fs::path there = fs::absolute(folder, ignored);
  while (!there.empty() && !fs::is_directory(there, ignored) && there != there.root_path()) there = there.parent_path();
  struct statvfs disk {};
  if (there.empty() || ::statvfs(there.c_str(), &disk) != 0) return 0;
  return std::int64_t(disk.f_bavail) * std::int64_t(disk.f_frsize);
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

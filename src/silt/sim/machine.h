#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace silt {

/// What a scene is held against. 0 stands for what cannot be known: nothing is then refused for its size.
struct Machine {
  std::int64_t memory_bytes = 0;     ///< that a process may have at most: of the machine, or what a limit leaves of it
  std::int64_t available_bytes = 0;  ///< that it could have now, without pushing others out
};

/// As the kernel tells it: /proc/meminfo; the control groups that this process is in, of either version; and the
/// process's own limit of address space. `root`: where /proc and /sys are found, for tests.
Machine this_machine(const std::filesystem::path& root = "/");

/// Of the disk that a folder would lie on, made or not; 0 when it cannot be known.
std::int64_t free_disk_bytes(const std::filesystem::path& folder);

/// "1.5 GB": three digits, powers of ten.
std::string bytes_text(double bytes);

}  // namespace silt

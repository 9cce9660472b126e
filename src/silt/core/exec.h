#pragma once

#include <cstdint>

namespace silt {

enum class Device { cpu, cuda };

/// Where loops run, and with how many threads. Passed to everything that loops; holds no data.
class Exec {
 public:
  /// Loops over fewer cells than this run on one thread, or over fewer by as much as a cell is more work than a copy
  /// (loops.h): waking the others costs more than they save.
  static constexpr std::int64_t worth_sharing = 16384;

  /// threads = 0: as many as the machine has. Throws InputError when this build or machine has no such device.
  explicit Exec(Device device = Device::cpu, int threads = 0, std::int64_t share_from = worth_sharing);

  Device device() const { return device_; }
  bool on_cpu() const { return device_ == Device::cpu; }
  int threads() const { return threads_; }
  /// Whether a loop over so many cells is shared among the threads. Answers do not depend on it.
  bool shares(std::int64_t cells) const { return cells >= share_from_; }

 private:
  Device device_;
  int threads_;
  std::int64_t share_from_;
};

/// Cores this process may use.
int available_threads();

/// Within a parallel region: the number of the calling thread, and of how many.
int this_thread();
int threads_here();

}  // namespace silt

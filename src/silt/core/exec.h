#pragma once

#include <string_view>

namespace silt {

enum class Device { cpu, cuda };

/// Where loops run, and with how many threads. Passed to everything that loops; holds no data.
class Exec {
 public:
  /// threads = 0: as many as the machine has. Throws InputError when this build or machine has no such device.
  explicit Exec(Device device = Device::cpu, int threads = 0);

  Device device() const { return device_; }
  bool on_cpu() const { return device_ == Device::cpu; }
  int threads() const { return threads_; }

 private:
  Device device_;
  int threads_;
};

/// Cores this process may use.
int available_threads();

}  // namespace silt

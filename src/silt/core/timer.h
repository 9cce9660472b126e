#pragma once

#include <chrono>

namespace silt {

/// Wall-clock seconds since it was made.
class Timer {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace silt

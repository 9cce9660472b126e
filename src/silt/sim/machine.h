#pragma once

#include <cstdint>
#include <string>

namespace silt {

/// What a scene is held against.
struct Machine {
  std::int64_t memory_bytes = 0;  ///< 0 when it cannot be known: nothing is then refused for its size
};
Machine this_machine();

/// "1.5 GB": three digits, powers of ten.
std::string bytes_text(double bytes);

}  // namespace silt

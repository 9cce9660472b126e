#pragma once

/// What every fuzz target shares. A target reads bytes that may be anything; an error of silt's own kinds is a fine
/// answer, anything else that leaves it is a finding.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "silt/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace silt {

template <class Read>
int survives(const std::uint8_t* data, std::size_t size, const Read& read) {
  try {
    read(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace silt

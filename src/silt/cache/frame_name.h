#pragma once

#include <charconv>
#include <iomanip>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "silt/core/text.h"

namespace silt {

/// A frame's number as it stands in the names of files: "0001", and as many digits as it takes beyond 9999.
inline std::string frame_digits(int frame) {
  std::ostringstream out;
  strict(out) << std::setw(4) << std::setfill('0') << frame;
  return out.str();
}

/// The frame of "smoke.volume.0012.vdb" or "frame.0012.png"; nothing when it is not named like that.
inline std::optional<int> frame_of_name(std::string_view name) {
  const auto last = name.rfind('.');
  if (last == name.npos || last == 0) return {};
  const auto before = name.rfind('.', last - 1);
  if (before == name.npos || before == 0) return {};
  const std::string_view digits = name.substr(before + 1, last - before - 1);
  int value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.size() < 4 || error != std::errc() || end != digits.data() + digits.size() || value < 0) return {};
  return value;
}

}  // namespace silt

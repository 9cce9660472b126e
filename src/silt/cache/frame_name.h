#pragma once

#include <iomanip>
#include <sstream>
#include <string>

namespace silt {

/// A frame's number as it stands in the names of files: "0001", and as many digits as it takes beyond 9999.
inline std::string frame_digits(int frame) {
  std::ostringstream out;
  out << std::setw(4) << std::setfill('0') << frame;
  return out.str();
}

}  // namespace silt

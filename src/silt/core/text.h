#pragma once

#include <sstream>
#include <string>

namespace silt {

/// Its arguments, one after the other, as text: str("frame ", 12, " of ", 120).
template <class... Args>
std::string str(const Args&... args) {
  std::ostringstream out;
  (out << ... << args);
  return out.str();
}

}  // namespace silt

#pragma once

#include <sstream>
#include <string>

namespace silt {

/// A stream of text that throws when there is no memory for it: others go on, and what they give is cut short.
template <class Stream>
Stream& strict(Stream& stream) {
  stream.exceptions(std::ios_base::badbit);
  return stream;
}

/// Its arguments, one after the other, as text: str("frame ", 12, " of ", 120).
template <class... Args>
std::string str(const Args&... args) {
  std::ostringstream out;
  (strict(out) << ... << args);
  return out.str();
}

}  // namespace silt

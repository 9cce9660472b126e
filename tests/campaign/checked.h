#pragma once

/// What silt writes of JSON ends with a checksum of itself, which no fuzzer guesses: the targets give each text its
/// own, so that what is behind the checksum is reached.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "silt/cache/json_line.h"

namespace silt {

/// The text with the checksum that it should have; as it is when it is no JSON object.
inline std::string checked(std::string_view text) {
  Json object = parse_json(text);
  if (!object.is_object()) return std::string(text);
  object.erase("check");
  return dump_checked(object);
}

/// use(line) for every line, the last one too when it has no end.
template <class Use>
void for_each_line(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace silt

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace silt {

using Json = nlohmann::ordered_json;

/// 16 hexadecimal digits.
std::string hex64(std::uint64_t value);
std::optional<std::uint64_t> parse_hex64(std::string_view text);

/// The object as text, with a last member "check": the XXH3 of the text without it. So a flipped bit is noticed even
/// where the JSON still parses. indent -1 is one line.
std::string dump_checked(const Json& object, int indent = -1);
/// The object without its "check", or nothing when the text is not JSON, no object, or fails its check.
std::optional<Json> parse_checked(std::string_view text);

}  // namespace silt

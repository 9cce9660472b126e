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

/// How deeply lists and objects may lie in each other: what silt writes has 6. Copying and writing recurse, so that
/// more would take the stack.
inline constexpr int deepest_json = 64;
/// How many members an object may have: each one more is compared with all before it.
inline constexpr int most_json_members = 200000;
/// The value, discarded (is_discarded()) when the text is not JSON or beyond these limits.
Json parse_json(std::string_view text);

/// A whole number that the type holds. Error for anything else.
template <class Int>
Int integer_of(const Json& value);

/// The object as text, with a last member "check": the XXH3 of the text without it. So a flipped bit is noticed even
/// where the JSON still parses. indent -1 is one line.
std::string dump_checked(const Json& object, int indent = -1);
/// The object without its "check", or nothing when the text is not JSON (see parse_json), no object, or fails its
/// check.
std::optional<Json> parse_checked(std::string_view text);

}  // namespace silt

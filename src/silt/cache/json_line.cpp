#include "silt/cache/json_line.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "silt/cache/file_stamp.h"
#include "silt/core/error.h"

namespace silt {
namespace {

/// What is hashed: as a reader gets it after parsing, so that text that is not UTF-8 is replaced.
std::string plain_text(const Json& object, int indent = -1) {
  return object.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string check_of(std::string_view text) {
  return hex64(stamp_of(text).xxh3);
}

/// Whether a text keeps to the limits, as far as it is JSON: where that ends, a parser ends too.
bool is_within_limits(std::string_view text) {
  std::array<int, deepest_json + 1> members{};  // by depth, of the object that is open there
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest_json) return false;
      members[std::size_t(depth)] = 0;
    } else if (c == ']' || c == '}') {
      if (--depth < 0) return true;
    } else if (c == ':') {
      if (++members[std::size_t(depth)] > most_json_members) return false;
    }
  }
  return true;
}

/// Whether a text ends with a check of just the letters before it, as what dump_checked() put on one line does: that
/// need not be written again to be compared.
bool is_as_dumped(std::string_view text) {
  constexpr std::string_view begin = ",\"check\":\"", end = "\"}";
  constexpr std::size_t digits = 16, tail = begin.size() + digits + end.size();
  if (text.size() < tail || !text.ends_with(end)) return false;
  const std::string_view before = text.substr(0, text.size() - tail), check = text.substr(before.size());
  if (!check.starts_with(begin)) return false;
  Hasher whole;
  whole.add(before.data(), before.size());
  whole.add("}", 1);
  return hex64(whole.stamp().xxh3) == check.substr(begin.size(), digits);
}

}  // namespace

std::string hex64(std::uint64_t value) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (int i = 15; i >= 0; --i, value >>= 4) text[std::size_t(i)] = digits[value & 15];
  return text;
}

std::optional<std::uint64_t> parse_hex64(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.size() != 16 || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

Json parse_json(std::string_view text) {
  if (!is_within_limits(text)) return Json(Json::value_t::discarded);
  return Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
}

template <class Int>
Int integer_of(const Json& value) {
  if (value.is_number_unsigned() && std::in_range<Int>(value.get<std::uint64_t>()))
    return Int(value.get<std::uint64_t>());
  if (value.is_number_integer() && !value.is_number_unsigned() && std::in_range<Int>(value.get<std::int64_t>()))
    return Int(value.get<std::int64_t>());
  throw Error("not a whole number in range");
}
template int integer_of<int>(const Json&);
template long integer_of<long>(const Json&);
template std::uint64_t integer_of<std::uint64_t>(const Json&);

std::string dump_checked(const Json& object, int indent) {
  std::string text = plain_text(object);
  const std::string check = check_of(text);
  if (indent >= 0) {
    Json checked = object;
    checked["check"] = check;
    return plain_text(checked, indent);
  }
  text.pop_back();  // what is on one line, as most is, need not be written twice
  return text + (object.empty() ? "" : ",") + "\"check\":\"" + check + "\"}";
}

std::optional<Json> parse_checked(std::string_view text) {
  Json object = parse_json(text);
  if (!object.is_object()) return {};
  const auto check = object.find("check");
  if (check == object.end() || !check->is_string()) return {};
  const std::string expected = *check;
  object.erase("check");
  if (is_as_dumped(text)) return object;
  if (check_of(plain_text(object)) != expected) return {};
  return object;
}

}  // namespace silt

#include "silt/cache/json_line.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "silt/cache/file_ops.h"

namespace silt {
namespace {

std::string check_of(const Json& object) {
  const std::string text = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  return hex64(stamp_of(text).xxh3);
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

std::string dump_checked(const Json& object, int indent) {
  // What is hashed is what a reader gets after parsing: text that is not UTF-8 is replaced first.
  Json checked = Json::parse(object.dump(-1, ' ', false, Json::error_handler_t::replace));
  const std::string check = check_of(checked);
  checked["check"] = check;
  return checked.dump(indent);
}

std::optional<Json> parse_checked(std::string_view text) {
  Json object = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return {};
  const auto check = object.find("check");
  if (check == object.end() || !check->is_string()) return {};
  const std::string expected = *check;
  object.erase("check");
  if (check_of(object) != expected) return {};
  return object;
}

}  // namespace silt

#include "silt/sim/json_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace silt {

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string json_string(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (code < 0x20)
      out += {'\\', 'u', '0', '0', digits[code >> 4], digits[code & 15]};
    else
      out += c;
  }
  return out + '"';
}

JsonLine& JsonLine::add_raw(std::string_view name, std::string_view json) {
  if (!members_.empty()) members_ += ", ";
  members_ += json_string(name);
  members_ += ": ";
  members_ += json;
  return *this;
}

JsonLine& JsonLine::add(std::string_view name, double value) {
  return add_raw(name, json_number(value));
}
JsonLine& JsonLine::add(std::string_view name, std::int64_t value) {
  return add_raw(name, std::to_string(value));
}
JsonLine& JsonLine::add(std::string_view name, bool value) {
  return add_raw(name, value ? "true" : "false");
}
JsonLine& JsonLine::add(std::string_view name, std::string_view text) {
  return add_raw(name, json_string(text));
}

}  // namespace silt

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace silt {

/// Writes one JSON object on one line, members in the order in which they are added. Numbers keep their bits; what is
/// not finite becomes null.
class JsonLine {
 public:
  JsonLine& add(std::string_view name, double value);
  JsonLine& add(std::string_view name, std::int64_t value);
  JsonLine& add(std::string_view name, int value) { return add(name, std::int64_t(value)); }
  JsonLine& add(std::string_view name, bool value);
  JsonLine& add(std::string_view name, std::string_view text);
  JsonLine& add(std::string_view name, const char* text) { return add(name, std::string_view(text)); }
  /// `json` is written as it is.
  JsonLine& add_raw(std::string_view name, std::string_view json);

  std::string text() const { return '{' + members_ + '}'; }

 private:
  std::string members_;
};

std::string json_number(double value);
std::string json_string(std::string_view text);

}  // namespace silt

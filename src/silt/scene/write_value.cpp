#include "silt/scene/write_value.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <type_traits>

namespace silt {
namespace {

std::string between_name(Between between) {
  return between == Between::linear ? "linear" : between == Between::smooth ? "smooth" : "step";
}

template <class T>
std::string write_animated(const Animated<T>& value, int dims = 3) {
  const auto write = [&](const T& x) {
    if constexpr (std::is_same_v<T, Vec3d>) {
      return write_value(x, dims);
    } else {
      return write_value(x);
    }
  };
  // One key at t = 0 is what a plain value reads as.
  const auto& keys = value.keys();
  constexpr bool steps = std::is_same_v<T, bool>;  // nothing lies between true and false
  const bool plain = keys.size() == 1 && keys[0].first == 0 && (steps || value.between() == Between::linear);
  if (plain) return write(keys[0].second);
  std::string out = "{ keys = [";
  for (std::size_t i = 0; i < keys.size(); ++i)
    out += (i ? ", [" : "[") + write_value(keys[i].first) + ", " + write(keys[i].second) + ']';
  return out + "], between = \"" + (steps ? "step" : between_name(value.between())) + "\" }";
}

}  // namespace

std::string write_value(bool value) {
  return value ? "true" : "false";
}
std::string write_value(int value) {
  return std::to_string(value);
}
std::string write_value(std::int64_t value) {
  return std::to_string(value);
}

std::string write_value(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char digits[64];  // shortest text that reads back to the same bits
  std::string out(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
}

std::string write_value(const Vec3d& v, int dims) {
  std::string out = "[";
  for (int i = 0; i < dims; ++i) out += (i ? ", " : "") + write_value(v[i]);
  return out + ']';
}

std::string write_value(const std::string& value) {
  std::string out = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {
      constexpr char hex[] = "0123456789ABCDEF";
      out += {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string write_value(const std::vector<std::string>& value) {
  std::string out = "[";
  for (std::size_t i = 0; i < value.size(); ++i) out += (i ? ", " : "") + write_value(value[i]);
  return out + ']';
}

std::string write_value(const ScenePath& value) {
  return write_value(value.written);
}
std::string write_value(const Animated<bool>& value) {
  return write_animated(value);
}
std::string write_value(const Animated<double>& value) {
  return write_animated(value);
}
std::string write_value(const Animated<Vec3d>& value, int dims) {
  return write_animated(value, dims);
}

std::string write_key(std::string_view key) {
  const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  });
  return bare ? std::string(key) : write_value(std::string(key));
}

}  // namespace silt

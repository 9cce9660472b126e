#include "silt/scene/table_info.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "silt/core/text.h"
#include "silt/scene/write_value.h"

namespace silt {
namespace {

bool all_equal(const Vec3d& v) {
  return v.x == v.y && v.y == v.z;
}

/// 0, 1e-6, [0, 0, -1]: for people, so without the ".0" TOML wants of a float.
std::string bound_text(const Vec3d& v, const ParameterInfo& info) {
  const auto text = [](double x) {
    if (x == std::trunc(x) && std::abs(x) < 1e9) return std::to_string(std::int64_t(x));  // 1000000, not 1e+06
    return write_value(x);
  };
  if (info.type == ParameterType::vector && !all_equal(v))
    return str('[', text(v.x), ", ", text(v.y), ", ", text(v.z), ']');
  return text(v.x);
}

bool any_finite(const Vec3d& v) {
  return std::isfinite(v.x) || std::isfinite(v.y) || std::isfinite(v.z);
}

/// An int's own limits are no range anybody chose.
bool tells(const Vec3d& v, const ParameterInfo& info) {
  if (info.type == ParameterType::integer && std::abs(v.x) >= std::numeric_limits<int>::max()) return false;
  return any_finite(v);
}

}  // namespace

bool ParameterInfo::bounded() const {
  return tells(min, *this) || tells(max, *this);
}

std::vector<std::string> names_of(const std::vector<ParameterInfo>& parameters) {
  std::vector<std::string> out;
  for (const ParameterInfo& p : parameters) out.push_back(p.name);
  return out;
}

std::vector<std::string> names_of(const std::vector<ChoiceInfo>& choices) {
  std::vector<std::string> out;
  for (const ChoiceInfo& c : choices) out.push_back(c.name);
  return out;
}

std::string type_text(ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return "true or false";
    case ParameterType::integer:
      return "a whole number";
    case ParameterType::number:
      return "a number";
    case ParameterType::vector:
      return "three numbers [x, y, z]";
    case ParameterType::text:
      return "a string";
    case ParameterType::texts:
      return "a list of strings";
    case ParameterType::path:
      return "a file path, as a string";
    case ParameterType::choice:
      return "one word of a list, as a string";
    case ParameterType::group:
      return "a table { ... }";
  }
  return {};
}

std::string range_text(const ParameterInfo& info) {
  const bool low = tells(info.min, info), high = tells(info.max, info);
  if (!low && !high) return {};
  const std::string min = bound_text(info.min, info), max = bound_text(info.max, info);
  std::string out;
  if (low && high && !info.min_excluded && !info.max_excluded) {
    out = "between " + min + " and " + max;
  } else {
    if (low) out = (info.min_excluded ? "above " : "at least ") + min;
    if (low && high) out += " and ";
    if (high) out += (info.max_excluded ? "below " : "at most ") + max;
  }
  return info.unit.empty() ? out : out + ' ' + info.unit;
}

}  // namespace silt

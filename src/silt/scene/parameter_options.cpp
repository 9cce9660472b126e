#include "silt/scene/parameter_options.h"

#include <cmath>
#include <limits>

namespace silt {
namespace {

template <class Options>
ParameterInfo common(const std::string& name, const Options& options) {
  ParameterInfo info;
  info.name = name;
  info.help = options.help;
  info.required = options.required;
  info.resumable = options.resumable;
  info.only_for = options.only_for;
  return info;
}

bool given(const Vec3d& bound) {
  return std::isfinite(bound.x) || std::isfinite(bound.y) || std::isfinite(bound.z);
}

void set_bounds(ParameterInfo& info, const Vec3d& min, const Vec3d& above, const Vec3d& max, const Vec3d& below) {
  info.min_excluded = given(above);
  info.max_excluded = given(below);
  info.min = info.min_excluded ? above : min;
  info.max = info.max_excluded ? below : max;
}

}  // namespace

ParameterInfo make_info(const std::string& name, const PlainOptions& options) {
  ParameterInfo info = common(name, options);
  info.type = ParameterType::boolean;
  return info;
}

ParameterInfo make_info(const std::string& name, const NumberOptions& options) {
  ParameterInfo info = common(name, options);
  info.type = ParameterType::number;
  info.unit = options.unit;
  const auto all = [](double x) { return Vec3d{x, x, x}; };
  set_bounds(info, all(options.min), all(options.above), all(options.max), all(options.below));
  return info;
}

ParameterInfo make_info(const std::string& name, const VectorOptions& options) {
  ParameterInfo info = common(name, options);
  info.type = ParameterType::vector;
  info.unit = options.unit;
  info.in_space = options.in_space;
  set_bounds(info, options.min.value, options.above.value, options.max.value, options.below.value);
  return info;
}

ParameterInfo make_info(const std::string& name, const TextOptions& options, ParameterType type) {
  ParameterInfo info = common(name, options);
  info.type = type;
  info.refers_to = options.refers_to;
  info.choices = options.choices;
  return info;
}

ParameterInfo make_integer_info(const std::string& name, const NumberOptions& options, bool narrow) {
  ParameterInfo info = make_info(name, options);
  info.type = ParameterType::integer;
  using Limits = std::numeric_limits<int>;
  if (narrow) {
    info.min = max(info.min, Vec3d{Limits::min(), Limits::min(), Limits::min()});
    info.max = min(info.max, Vec3d{Limits::max(), Limits::max(), Limits::max()});
  }
  return info;
}

}  // namespace silt

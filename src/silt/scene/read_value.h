#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "silt/core/vec.h"
#include "silt/geometry/keyframes.h"
#include "silt/scene/diagnostics.h"
#include "silt/scene/scene_path.h"
#include "silt/scene/table_info.h"
#include "silt/scene/value.h"

namespace silt {

struct ReadOptions {
  int dims = 3;  ///< how many numbers a vector has: two in a 2D scene, the others are then 0; 0 takes one to three
};

/// What every reader is handed.
struct ReadContext {
  Diagnostics& diagnostics;
  ReadOptions options;
};

/// Each reads one value as the parameter `info` describes. What is wrong goes to the diagnostics, at its place; `out`
/// is then left as it was and the answer is false. Integers pass as numbers; nan and inf are refused.
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, bool& out);
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, int& out);
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, std::int64_t& out);
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, double& out);
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, Vec3d& out);
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, std::string& out);
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, std::vector<std::string>& out);
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, ScenePath& out);
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, Animated<bool>& out);
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, Animated<double>& out);
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, Animated<Vec3d>& out);

template <class T>
bool read_value(const Value& value, const ParameterInfo& info, ReadContext& reader, std::optional<T>& out) {
  T inner{};
  if (!read_value(value, info, reader, inner)) return false;
  out = std::move(inner);
  return true;
}

}  // namespace silt

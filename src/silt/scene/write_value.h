#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "silt/core/vec.h"
#include "silt/geometry/keyframes.h"
#include "silt/scene/scene_path.h"

namespace silt {

/// Values as TOML that reads back to the same bits.
std::string write_value(bool value);
std::string write_value(int value);
std::string write_value(std::int64_t value);
std::string write_value(double value);
std::string write_value(const Vec3d& value, int dims = 3);  ///< its first `dims` numbers
std::string write_value(const std::string& value);
std::string write_value(const std::vector<std::string>& value);
std::string write_value(const ScenePath& value);
std::string write_value(const Animated<bool>& value);
std::string write_value(const Animated<double>& value);
std::string write_value(const Animated<Vec3d>& value, int dims = 3);
std::string write_value(const char* value) = delete;  // would be taken for a bool

/// A key, quoted when TOML needs it.
std::string write_key(std::string_view key);

}  // namespace silt

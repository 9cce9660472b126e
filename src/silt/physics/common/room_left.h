#pragma once

#include <cstdint>

#include "silt/physics/common/setting.h"

namespace silt {

/// How many more particles a scene has room for that nothing can leave: walls and periodic sides all round, and what
/// solids leave of it at `time`, at 2^D a cell. Without an end where a side is open.
///   particles  that there are already
std::uint64_t room_left(const Exec& exec, const Setting& setting, double time, std::uint64_t particles);

}  // namespace silt

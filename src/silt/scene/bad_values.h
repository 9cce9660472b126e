#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "silt/scene/table_info.h"

namespace silt {

/// A line of TOML that must be refused, for tests that loop over every table.
struct BadValue {
  std::string path;    ///< the parameter: "smoke.viscosity", "source.motion.position"
  std::string why;     ///< what is wrong with it: "below the range"
  std::string line;    ///< "viscosity = -1.0", "motion.position = nan": to stand in the block
  std::string expect;  ///< what the message must contain
};

/// Bad values of every parameter, members of groups too: wrong types, beyond each bound, misspelt names and choices,
/// nan and inf, keys where there may be none and wrong keys where there may be.
std::vector<BadValue> bad_values(const TableInfo& table);

struct BadScene {
  std::string text;
  int line = 0;  ///< of the bad value, from 1
};

/// A good scene with one bad value in block `path` ("source.jet"; "" for the top of the file), which is added when it
/// is missing. Takes the place of the parameter's line if it has one; values over several lines are not understood.
BadScene insert_bad_value(std::string_view scene, const std::string& path, const BadValue& bad);

}  // namespace silt

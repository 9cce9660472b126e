#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace silt {

/// What toml++ must not be given.
enum class TomlRisk {
  not_ascii,  ///< a character beyond ASCII outside of strings and comments
  continued,  ///< the same as the first one after a line that ended in a backslash, in a """string"""
  deep_key,   ///< more dots in one name than `most_dots`
};
struct TomlRiskAt {
  TomlRisk risk;
  std::size_t byte;
};

inline constexpr int most_dots = 200;

/// The first place of a text that toml++ 3.3.0 cannot be trusted with. It looks whether such a character is white space
/// by a table that has holes: of most it reaches what its compiler was told is never reached. Names with dots it walks
/// by recursion, without a limit. None of the three is of use in a scene: TOML has names of ASCII alone, unless quoted.
std::optional<TomlRiskAt> find_toml_risk(std::string_view text);

}  // namespace silt

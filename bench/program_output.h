#pragma once

#include <string>

namespace silt::bench {

/// As one word for the shell.
std::string quoted(const std::string& text);

/// All that a command of the shell prints. Error, with the beginning of that, when it fails; `name` says who failed.
std::string output_of(const std::string& command, const std::string& name);

}  // namespace silt::bench

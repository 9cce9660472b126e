#pragma once

#include <string>
#include <vector>

namespace silt {

/// Reads the words after the program's name and runs the command they ask for. Returns the exit code; throws
/// InputError for words that make no sense, and what the commands throw.
int run_command_line(const std::vector<std::string>& words);

}  // namespace silt

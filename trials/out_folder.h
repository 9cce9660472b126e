#pragma once

#include <filesystem>
#include <string>

namespace silt::trials {

/// Makes sure that files can be written to what --out names, and makes the folder when there is none: before a run, not
/// after it. InputError when not.
void prepare_folder(const std::string& out);

/// Writes a file whole or not at all. IoError when it cannot.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace silt::trials

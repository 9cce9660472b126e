#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "trials/options.h"

namespace silt::trials {

/// Where a program's pages go when --out does not say. Empty: nowhere.
struct PagePlaces {
  std::filesystem::path whole{};       ///< those of whole runs, that somebody looks at: in the source
  std::filesystem::path small{};       ///< those of --quick and of a size of one's own: in the build folder
  std::vector<std::string> beneath{};  ///< folders in it for what pages show: "plots"
};

/// Nothing, where no page is wanted.
std::optional<std::filesystem::path> page_folder(const Options& options, const PagePlaces& places);

/// Makes sure that files can be written to a folder, and makes it when there is none: before a run, not after it.
/// InputError when not.
void prepare_folder(const std::filesystem::path& folder);

/// Writes a file whole or not at all. IoError when it cannot.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace silt::trials

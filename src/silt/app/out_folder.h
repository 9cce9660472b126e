#pragma once

#include <filesystem>

namespace silt {

/// Makes the folder where there is none, before anything large is made. InputError when that cannot be, or when nothing
/// can be written there: another --out is the remedy, unless the disk is full.
void prepare_folder(const std::filesystem::path& out);

}  // namespace silt

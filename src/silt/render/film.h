#pragma once

#include <filesystem>
#include <vector>

namespace silt {

/// Joins PNG pictures, in the order given, into an H.264 film by the separate program ffmpeg. Writes `out` directly:
/// give a temporary name and rename it. Throws Error when there are no pictures, or ffmpeg is missing or fails.
void make_film(const std::vector<std::filesystem::path>& pictures, double fps, const std::filesystem::path& out);

}  // namespace silt

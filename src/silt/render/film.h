#pragma once

#include <filesystem>

namespace silt {

/// Joins folder/frame.%04d.png, from number `first` to the last without a gap, into an H.264 film by the separate
/// program ffmpeg. Writes `out` directly: give a temporary name and rename it. Throws Error when ffmpeg is missing or
/// fails.
void make_film(const std::filesystem::path& folder, int first, double fps, const std::filesystem::path& out);

}  // namespace silt

#pragma once

#include <filesystem>

#include "silt/render/image.h"

namespace silt {

/// The picture as a JPEG of some fifty kilobytes, for pages, by the separate program ffmpeg. Throws Error when that
/// is missing or fails.
void write_jpeg(const Image& image, const std::filesystem::path& out);

}  // namespace silt

#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "silt/cache/bytes.h"
#include "silt/cache/folder.h"

namespace silt {

/// The i-th picture of a film, as PNG.
using PictureSource = std::function<Bytes(std::size_t i)>;

/// Joins PNG pictures of one size, in their order, into an H.264 film (MP4) by the separate program ffmpeg. `folder`:
/// where the pictures are, for messages, and on whose disk it works. Throws Error when there are no pictures, or ffmpeg
/// is missing or fails, and what `picture` throws.
Bytes make_film(std::size_t count, const PictureSource& picture, double fps, const Folder& folder);

}  // namespace silt

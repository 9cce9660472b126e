#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "silt/cache/bytes.h"
#include "silt/cache/folder.h"

namespace silt {

/// Takes the next bytes of what ffmpeg reads; false when it reads no more.
using Feed = std::function<bool(std::string_view)>;

/// Starts the separate program ffmpeg, without a shell, with these words after those that keep it quiet, and returns
/// what it makes. It reads from "pipe:0" what `feed` gives, and writes to a file that has no name, on the disk of
/// `folder`: it dies with this process, and whatever becomes of it, nothing it writes is ever found under a name.
/// `what`: "make the film"; `kept`: what there is without it, for messages. Throws Error when ffmpeg is missing or
/// fails.
Bytes run_ffmpeg(const std::vector<std::string>& words, const std::function<void(const Feed&)>& feed,
                 const Folder& folder, const std::string& what, const std::string& kept);

}  // namespace silt

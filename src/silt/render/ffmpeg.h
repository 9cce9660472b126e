#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace silt {

/// Starts the separate program ffmpeg, without a shell, with these words after those that keep it quiet; `out`, the
/// file it writes, comes last. `what`: "make the film"; `kept`: what there is without it, for messages. Throws Error
/// when ffmpeg is missing or fails, and `out` is then not there.
void run_ffmpeg(const std::vector<std::string>& words, const std::filesystem::path& out, const std::string& what,
                const std::string& kept);

/// A file's name as ffmpeg reads it as an input: % would be a pattern, and what stands before a colon a protocol.
std::string ffmpeg_input(const std::filesystem::path& path);

}  // namespace silt

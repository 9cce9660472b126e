#pragma once

/// The list of a run's files, a second time: each line of stats.jsonl ends with the files of its frame, as the manifest
/// lists them. What a damaged manifest has lost is found there, and proves itself by size and checksum.

#include <string>
#include <string_view>
#include <vector>

#include "silt/cache/manifest.h"

namespace silt {

/// The line, a JSON object, with a last member "files": these lines of the manifest. As it is when there are none.
std::string with_files(std::string_view line, const std::vector<std::string>& files);

/// The files of all whole lines. A line that has none, or whose list does not match its own checksum, says nothing.
std::vector<ManifestEntry> files_in_stats(std::string_view text);

}  // namespace silt

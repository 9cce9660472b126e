#pragma once

/// How large the files of a run folder may be that are read whole: what is larger is no file that silt wrote, and is
/// refused before memory is taken for it. docs/guide/limits.md states them. Files of frames and checkpoints: what their
/// line in the manifest says, and no more than the machine has memory.

#include <cstdint>

namespace silt {

inline constexpr std::uint64_t largest_run_json = 64 << 10;      ///< [bytes]; silt writes about 1000
inline constexpr std::uint64_t largest_manifest = 4ull << 30;    ///< some 30 million files
inline constexpr std::uint64_t longest_manifest_line = 1 << 12;  ///< a name has at most 255 letters
inline constexpr std::uint64_t most_damaged_lines = 100000;      ///< of a manifest; beyond it is no list any more
inline constexpr std::uint64_t largest_stats = 16ull << 30;
inline constexpr std::uint64_t longest_stats_line = 64 << 20;  ///< grows with obstacles: 200 bytes each
inline constexpr std::uint64_t largest_scene_file = 64 << 20;

}  // namespace silt

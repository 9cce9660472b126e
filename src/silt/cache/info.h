#pragma once

/// What is in a run folder or in one of its files, for `silt info`.

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "silt/cache/manifest.h"
#include "silt/cache/mesh_file.h"
#include "silt/cache/run_status.h"
#include "silt/cache/volume_file.h"

namespace silt {

struct FileInfo {
  std::string name, kind;
  int frame = 0;
  std::uint64_t bytes = 0;
  std::string problem;  ///< empty: it is whole
};

struct RunInfo {
  std::optional<RunStatus> status;  ///< nothing when run.json is missing or damaged
  long in_use_by = 0;               ///< a process; 0 none, -1 unknown
  int frames_done = 0;              ///< frames with a line in stats.jsonl or volumes in the cache
  std::uint64_t bytes = 0;          ///< of all finished files
  std::vector<FileInfo> files;
  std::vector<std::string> problems;  ///< every missing or damaged file, one sentence each
};

struct ArrayInfo {
  std::string name, dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t bytes = 0;
};

struct CheckpointInfo {
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<ArrayInfo> arrays;
};

/// Exactly one of the four parts is there.
struct Info {
  std::string path;
  std::uint64_t bytes = 0;
  std::optional<RunInfo> run;
  std::optional<VolumeFileInfo> volumes;
  std::optional<MeshFileInfo> mesh;
  std::optional<CheckpointInfo> checkpoint;
};

/// Looks at a run folder, a .vdb, a .ply or a .safetensors. A file of a run is checked against the manifest before it
/// is parsed (IoError); the files of a folder are checked too, by size alone when `checksums` is off (a large cache
/// takes a while to read). InputError when the path is none of these.
Info describe(const std::filesystem::path& path, bool checksums = true);

std::string to_json(const Info& info);
/// A table for people.
std::string to_text(const Info& info);

}  // namespace silt

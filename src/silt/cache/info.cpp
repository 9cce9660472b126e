#include "silt/cache/info.h"

#include <algorithm>
#include <map>

#include "silt/cache/checkpoint.h"
#include "silt/cache/run_folder.h"
#include "silt/core/text.h"

namespace fs = std::filesystem;

namespace silt {
namespace {

RunInfo describe_run(const fs::path& path, bool checksums) {
  RunInfo info;
  try {
    info.status = RunFolder::view(path).status();
    info.frames_done = info.status->frame;
  } catch (const IoError& e) {
    info.problems.push_back(e.what());
  }
  const RunFolder folder =
      RunFolder::view(path);  // after the status: a run that goes on lists a frame, then tells of it
  info.in_use_by = folder.in_use_by();
  // One that goes on, or was killed, says so itself when it is resumed: files may be ahead of their list.
  const bool going_on = info.in_use_by || (info.status && info.status->phase == RunStatus::Phase::running);
  if (const std::string damage = folder.damage(); !damage.empty())
    info.problems.push_back(str(damage, "; `silt run ", path.string(), " --resume` mends it"));
  if (const std::string lost = going_on ? std::string() : folder.unproven(info.frames_done); !lost.empty())
    info.problems.push_back(lost);
  for (const ManifestEntry& e : folder.manifest().entries()) {
    FileInfo file{e.name, e.kind, e.frame, e.stamp.size, folder.manifest().problem(e, checksums)};
    if (!file.problem.empty()) info.problems.push_back(file.problem);
    if (!info.status && (e.kind == "volume" || e.kind == "points" || e.kind == "mesh"))
      info.frames_done = std::max(info.frames_done, e.frame);
    info.bytes += file.bytes;
    info.files.push_back(std::move(file));
  }
  return info;
}

CheckpointInfo describe_checkpoint(const fs::path& path, Bytes bytes) {
  const Checkpoint checkpoint = read_checkpoint(path, std::move(bytes), /*any_version=*/true);
  CheckpointInfo info;
  info.metadata.assign(checkpoint.metadata().begin(), checkpoint.metadata().end());
  for (const Checkpoint::Array& a : checkpoint.arrays())
    info.arrays.push_back({a.name, std::string(name_of(a.dtype)), a.shape, a.bytes});
  return info;
}

/// The file's bytes, checked when it lies in a run folder (one or two folders up) whose manifest lists it.
Bytes read_checked(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  fs::path folder = whole.parent_path();
  for (int up = 0; up < 2 && !error; ++up, folder = folder.parent_path()) {
    if (!fs::exists(folder / "manifest.jsonl", error)) continue;
    const std::string name = whole.lexically_relative(folder).generic_string();
    const Manifest manifest =  // of a run with what its second list has
        folder_state(folder) == FolderState::run ? RunFolder::view(folder).manifest() : Manifest(RunDirectory(folder));
    if (manifest.find(name)) return manifest.read_verified(name);
  }
  return read_file(path);
}

}  // namespace

Info describe(const fs::path& path, bool checksums) {
  Info info;
  info.path = path.string();
  std::error_code error;
  if (!fs::exists(path, error)) {
    if (folder_state(fs::path("out") / path) == FolderState::run) RunFolder::view(path);  // which says what was meant
    throw InputError(str("there is no ", path.string()));
  }
  if (fs::is_directory(path, error)) {
    info.run = describe_run(path, checksums);
    info.bytes = info.run->bytes;
    return info;
  }
  const std::string ending = path.extension().string();
  if (ending != ".vdb" && ending != ".ply" && ending != ".safetensors")
    throw InputError(str(path.string(), " is neither a run folder nor a .vdb, .ply or .safetensors file"));
  Bytes bytes = read_checked(path);
  info.bytes = bytes.size();
  if (ending == ".vdb")
    info.volumes = describe_volumes(path, bytes);
  else if (ending == ".ply")
    info.mesh = describe_mesh(path, bytes);
  else
    info.checkpoint = describe_checkpoint(path, std::move(bytes));
  return info;
}

}  // namespace silt

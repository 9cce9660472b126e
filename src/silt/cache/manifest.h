#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "silt/cache/bytes.h"
#include "silt/cache/file_ops.h"

namespace silt {

/// One finished file of a run.
struct ManifestEntry {
  std::string name;  ///< relative to the run folder, with '/': "cache/smoke.volume.0012.vdb"
  FileStamp stamp;
  std::string kind;  ///< "volume", "points", "checkpoint", "picture", "film", "scene"
  int frame = 0;     ///< 0: belongs to no frame
};

/// The list of a run's finished files, manifest.jsonl: a JSON line a file, appended after the file has its final name.
/// A later line for a name replaces the earlier; a line with "removed" takes the name off the list. Every line ends
/// with a checksum of itself. A last line without its end is what a crash leaves and is dropped; any other bad line is
/// refused.
class Manifest {
 public:
  /// Reads `folder`/manifest.jsonl; empty when there is none. IoError naming the line when one is damaged.
  explicit Manifest(std::filesystem::path folder);

  const std::filesystem::path& folder() const { return folder_; }
  /// In the order in which they were finished.
  std::vector<ManifestEntry> entries() const;
  const ManifestEntry* find(std::string_view name) const;

  void add(const ManifestEntry& entry);
  /// Takes a name off the list, before its file is replaced or deleted. Nothing when it is not on it.
  void forget(std::string_view name);
  /// Rewrites the file with only those entries for which keep() holds, in one step.
  template <class Keep>
  void keep_only(const Keep& keep) {
    std::vector<ManifestEntry> kept;
    for (ManifestEntry& e : entries())
      if (keep(e)) kept.push_back(std::move(e));
    rewrite(kept);
  }

  /// The file's bytes, if they are what was written. IoError otherwise: "out/x/cache/a.vdb is damaged: 12 bytes, 23
  /// expected", "... is damaged: its checksum does not match the manifest", "... is not in the manifest".
  Bytes read_verified(std::string_view name) const;
  /// What is wrong with a listed file, or "" when nothing is. Without `checksum` only its size is looked at.
  std::string problem(const ManifestEntry& entry, bool checksum = true) const;

 private:
  struct Slot {
    std::uint64_t order;
    ManifestEntry entry;
  };
  void put(ManifestEntry entry);
  void read_line(std::string_view line, int number);
  void rewrite(const std::vector<ManifestEntry>& entries);

  std::filesystem::path folder_, path_;
  std::map<std::string, Slot, std::less<>> slots_;
  std::uint64_t next_order_ = 0;
};

/// The bytes, if they have the stamp; IoError naming the file otherwise.
Bytes read_verified(const std::filesystem::path& path, const FileStamp& stamp);

}  // namespace silt

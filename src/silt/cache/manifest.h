#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "silt/cache/bytes.h"
#include "silt/cache/file_stamp.h"
#include "silt/cache/run_directory.h"

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
/// with a checksum of itself. A last line without its end is what a crash leaves and is dropped. Any other line that
/// fails its checksum is damaged: what it said is not on the list, and damage() tells. One that passes it and is not
/// what silt writes, with a name that is_run_file() does not know above all, was made so: the whole is refused.
class Manifest {
 public:
  /// Reads manifest.jsonl; empty when there is none. IoError naming the line when somebody made one to do harm, or when
  /// very many are damaged.
  explicit Manifest(RunDirectory directory);

  const RunDirectory& directory() const { return directory_; }
  /// In the order in which they were finished.
  std::vector<ManifestEntry> entries() const;
  /// Those of one frame, in that order too. Takes no longer when there are many frames.
  std::vector<ManifestEntry> of_frame(int frame) const;
  /// Those whose names begin so, by name.
  std::vector<ManifestEntry> entries_named(std::string_view beginning) const;
  const ManifestEntry* find(std::string_view name) const;
  /// Whether a line takes that name off the list, and none puts it back.
  bool has_removed(std::string_view name) const { return removed_.contains(name); }

  /// Returns the line that says so.
  std::string add(const ManifestEntry& entry);
  /// Takes a name off the list, before its file is replaced or deleted. Nothing when it is not on it.
  void forget(std::string_view name);
  /// Puts a file on the list that is known from elsewhere. Only keep_only() writes it down.
  void recall(const ManifestEntry& entry);
  /// Lines that cannot be read: "out/x/manifest.jsonl is damaged: line 7 and 2 more cannot be read"; empty when there
  /// are none.
  std::string damage() const;
  /// Whether the file says what the list says: nothing was recalled, and no line is damaged.
  bool is_written_down() const { return !recalled_ && damaged_lines_ == 0; }
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
  using Order = std::uint64_t;  ///< which was finished when
  void put(ManifestEntry entry);
  void take_off(std::string_view name);
  void read_line(std::string_view line, std::uint64_t number);
  void note_damage(std::uint64_t number);
  void rewrite(const std::vector<ManifestEntry>& entries);
  void check_size(const ManifestEntry& entry) const;
  Bytes read_verified(const ManifestEntry& entry) const;
  std::string path() const { return (directory_.path() / "manifest.jsonl").string(); }

  RunDirectory directory_;
  std::map<Order, ManifestEntry> entries_;
  std::map<std::string, Order, std::less<>> by_name_;
  std::set<std::pair<int, Order>> by_frame_;
  std::set<std::string, std::less<>> removed_;
  Order next_ = 0;
  std::uint64_t damaged_lines_ = 0, first_damaged_line_ = 0;  // counted from 1
  bool recalled_ = false;
};

/// A file's line and back; nothing when it is damaged, or names no file of a run.
std::string manifest_line(const ManifestEntry& entry);
std::optional<ManifestEntry> parse_manifest_line(std::string_view line);

}  // namespace silt

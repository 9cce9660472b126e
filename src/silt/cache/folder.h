#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "silt/cache/bytes.h"
#include "silt/cache/disk_calls.h"
#include "silt/cache/file_stamp.h"

namespace silt {

/// A folder held open, and the only way to what is in it. Whoever made its content may mean harm, so that
///   - a name is one entry of this folder: neither empty, ".", ".." nor with a '/';
///   - it is looked up below the folder's descriptor, and symbolic links are not followed: an IoError names them;
///   - only plain files are opened, and those with a second name (a hard link) are not changed in place.
/// So nothing outside of it is read, changed or deleted, also when somebody renames things meanwhile.
class Folder {
 public:
  /// The folder a user named; links on the way there are theirs. IoError when there is none.
  explicit Folder(std::filesystem::path path);
  /// The one of that name in it; nothing when there is none.
  std::optional<Folder> find(std::string_view name) const;
  /// The same, made when there is none.
  Folder make(std::string_view name) const;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return *fd_; }

  enum class Entry { none, file, folder, other };
  /// What has that name. A symbolic link is something other, wherever it leads to.
  Entry entry(std::string_view name) const;
  bool has(std::string_view name) const { return entry(name) != Entry::none; }
  /// Of a plain file; nothing when there is none.
  std::optional<std::uint64_t> size_of(std::string_view name) const;
  /// Names of all there is, sorted; those of plain files.
  std::vector<std::string> names() const;
  std::vector<std::string> files() const;

  static constexpr std::uint64_t any_size = UINT64_MAX;
  /// The whole file. IoError when it cannot be read or is larger than `most`.
  Bytes read(std::string_view name, std::uint64_t most = any_size) const;
  /// Whole and synced under its name, or not at all.
  FileStamp write(std::string_view name, std::string_view bytes) const;
  /// Appends one line and syncs it. A torn last line (one without its end, left by a crash) is cut off first; when the
  /// append fails the file is cut back to what it was. Safe against other processes appending to the same file.
  void append_line(std::string_view name, std::string_view line) const;
  void truncate(std::string_view name, std::uint64_t size) const;
  void rename(std::string_view from, std::string_view to) const;
  /// What is not there is as good as removed; a folder is not removed.
  void remove(std::string_view name) const;
  /// Of writers that died. For who knows that nobody is writing.
  void remove_temporaries() const;
  /// Makes names, new and removed, last through a loss of power.
  void sync() const;

  /// A plain file, opened with these flags of open(2). `doing`: what for, in messages.
  disk::Descriptor open(std::string_view name, int flags, const char* doing) const;
  /// A file without a name, to be read and written: gone with the last process that has it open, however that ends.
  disk::Descriptor open_unnamed() const;

 private:
  Folder(std::filesystem::path path, disk::Descriptor fd);
  std::filesystem::path path_of(std::string_view name) const;

  std::filesystem::path path_;
  std::shared_ptr<const disk::Descriptor> fd_;
};

/// Whether it can be the name of one entry of a folder.
bool is_entry_name(std::string_view name);

/// ".NAME.1234-5.tmp" for process 1234: another one at every call.
std::string temporary_entry(std::string_view name);
/// Whether a file name is one that temporary_entry() gives: in a folder that is not silt's alone others end in ".tmp",
/// too.
bool is_temporary_entry(std::string_view name);
/// Or that an earlier silt gave.
bool is_temporary_name(std::string_view name);

}  // namespace silt

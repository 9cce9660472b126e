#pragma once

/// The one I/O layer: every system call with which the product changes a disk goes through here and folder.h, so that
/// each of them can be made to crash or to find the disk full in a test. Nothing half-written is ever seen under a
/// final name: bytes go to a temporary name in the same folder, are synced, renamed, and the folder is synced.
///
/// Faults (see fault.h) count mutating operations: create, write, sync, rename, sync of a folder, truncate, unlink,
/// mkdir, rmdir.

#include <filesystem>
#include <string>
#include <string_view>

#include "silt/cache/bytes.h"
#include "silt/cache/file_lock.h"
#include "silt/cache/file_stamp.h"
#include "silt/cache/folder.h"
#include "silt/core/error.h"

namespace silt {

/// No space left, or the quota is used up. Its message is one line.
class DiskFullError : public IoError {
  using IoError::IoError;
};

/// A file written piece by piece under a temporary name of its own. It appears under its name at commit(), whole and
/// synced, or never: a writer that is destroyed before commit() removes its temporary file.
class FileWriter {
 public:
  FileWriter(Folder folder, std::string_view name);
  explicit FileWriter(const std::filesystem::path& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  void write(const void* bytes, std::size_t size);
  /// Syncs the bytes under the temporary name. After this only names change.
  void finish();
  FileStamp stamp() const { return hasher_.stamp(); }
  FileStamp commit();

 private:
  Folder folder_;
  std::string name_, temporary_;
  disk::Descriptor fd_;
  bool committed_ = false;
  Hasher hasher_;
};

// What follows takes a path that a user named; see Folder for what is in a folder.

/// A name beside `path`, another one at every call: where another program should write what adopt_file() will then take
/// over.
std::filesystem::path temporary_name(const std::filesystem::path& path);

FileStamp write_atomically(const std::filesystem::path& path, std::string_view bytes);
/// Stamps a finished file, syncs it and renames it to `path`, in the same folder.
FileStamp adopt_file(const std::filesystem::path& temporary, const std::filesystem::path& path);
void append_line(const std::filesystem::path& path, std::string_view line);
/// A file that is not there is as good as removed.
void remove_file(const std::filesystem::path& path);
/// Makes the folder and those above it, where they do not exist.
void make_folder(const std::filesystem::path& path);

/// Of a file of the cache [bytes].
inline constexpr std::uint64_t largest_cache_file = std::uint64_t(16) << 30;

/// The whole file. IoError when it cannot be read, is no file or has more than `most` bytes.
Bytes read_file(const std::filesystem::path& path, std::uint64_t most = largest_cache_file);

}  // namespace silt

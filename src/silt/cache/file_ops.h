#pragma once

/// The one I/O layer: every system call with which the product changes a disk goes through here, so that each of them
/// can be made to crash or to find the disk full in a test. Nothing half-written is ever seen under a final name: bytes
/// go to a temporary name in the same folder, are synced, renamed, and the folder is synced.
///
/// Faults (see fault.h) count mutating operations: create, write, sync, rename, sync of a folder, truncate, unlink,
/// mkdir, rmdir.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "silt/cache/bytes.h"
#include "silt/core/error.h"

namespace silt {

/// No space left, or the quota is used up. Its message is one line.
class DiskFullError : public IoError {
  using IoError::IoError;
};

/// What a file must be to be believed: its length and the 64-bit XXH3 of its bytes.
struct FileStamp {
  std::uint64_t size = 0;
  std::uint64_t xxh3 = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

FileStamp stamp_of(std::string_view bytes);

/// XXH3 of bytes that come in pieces.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  void add(const void* bytes, std::size_t size);
  FileStamp stamp() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A file written piece by piece under a temporary name. It appears under its own name at commit(), whole and synced,
/// or never: a writer that is destroyed before commit() removes its temporary file.
class FileWriter {
 public:
  explicit FileWriter(std::filesystem::path path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  void write(const void* bytes, std::size_t size);
  /// Syncs the bytes under the temporary name. After this only names change.
  void finish();
  FileStamp stamp() const { return hasher_.stamp(); }
  FileStamp commit();

 private:
  std::filesystem::path path_, temporary_;
  int fd_ = -1;
  bool committed_ = false;
  Hasher hasher_;
};

/// ".NAME.tmp" beside `path`: where another program should write what adopt_file() will then take over.
std::filesystem::path temporary_name(const std::filesystem::path& path);
/// Whether a file name is one temporary_name() gives.
bool is_temporary_name(std::string_view name);

FileStamp write_atomically(const std::filesystem::path& path, std::string_view bytes);
/// Stamps a finished file, syncs it and renames it to `path`, in the same folder.
FileStamp adopt_file(const std::filesystem::path& temporary, const std::filesystem::path& path);

/// Appends one line and syncs it. A torn last line (one without its end, left by a crash) is cut off first; when the
/// append fails the file is cut back to what it was. Safe against other processes appending to the same file.
void append_line(const std::filesystem::path& path, std::string_view line);

void truncate_file(const std::filesystem::path& path, std::uint64_t size);
/// A file that is not there is as good as removed.
void remove_file(const std::filesystem::path& path);
/// Removes a folder if it is there and empty; leaves any other alone.
void remove_empty_folder(const std::filesystem::path& path);
/// Makes the folder and those above it, where they do not exist.
void make_folder(const std::filesystem::path& path);

/// Makes the names in a folder, new and removed, last through a loss of power.
void sync_folder(const std::filesystem::path& folder);

/// Of a file of the cache [bytes].
inline constexpr std::uint64_t largest_cache_file = std::uint64_t(16) << 30;

/// The whole file. IoError when it cannot be read, is no file or has more than `most` bytes.
Bytes read_file(const std::filesystem::path& path, std::uint64_t most = largest_cache_file);

/// Only one process at a time holds the lock on a file; the kernel lets go of it when the process ends, however it
/// ends. The file holds "silt process 1234".
class FileLock {
 public:
  /// InputError naming the process when another one holds it: "WHAT is in use by process 1234", with `how` for
  /// "is in use". `note`: a word for those who find it locked.
  FileLock(const std::filesystem::path& path, std::string_view what, std::string_view how = "is in use",
           std::string_view note = {});
  ~FileLock();
  FileLock(FileLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  FileLock& operator=(FileLock&& other) noexcept;

  static constexpr std::string_view mark = "silt process ";
  /// The process that holds the lock; 0 when none does, -1 when one does and its number is not known.
  static long holder(const std::filesystem::path& path);
  /// The holder's note; empty when it left none, or nobody holds it.
  static std::string holder_note(const std::filesystem::path& path);

 private:
  int fd_ = -1;
};

}  // namespace silt

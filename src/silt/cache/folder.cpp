#include "silt/cache/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "silt/cache/file_ops.h"
#include "silt/core/text.h"

namespace fs = std::filesystem;

namespace silt {
namespace {

using detail::Operation;
using disk::Descriptor;
using disk::fail;
using disk::mutate;
using disk::retry;

constexpr int open_folder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

[[noreturn]] void refuse_link(const fs::path& path) {
  throw IoError(str(path.string(), " is a symbolic link, and silt makes none: put in its place what it leads to"));
}

/// Where the last whole line ends.
std::uint64_t end_of_lines(int fd, const fs::path& path, std::uint64_t size) {
  char block[4096];
  while (size > 0) {
    const std::size_t n = std::min<std::uint64_t>(size, sizeof block);
    const ssize_t got = retry([&] { return ::pread(fd, block, n, off_t(size - n)); });
    if (got != ssize_t(n)) fail("read", path, got < 0 ? errno : EIO);
    for (std::size_t i = n; i > 0; --i)
      if (block[i - 1] == '\n') return size - n + i;
    size -= n;
  }
  return 0;
}

}  // namespace

bool is_entry_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of(std::string_view("/\0", 2)) == name.npos;
}

std::string temporary_entry(std::string_view name) {
  static std::atomic<std::int64_t> count = 0;
  return str('.', name, '.', ::getpid(), '-', ++count, ".tmp");
}

bool is_temporary_entry(std::string_view name) {
  if (!is_temporary_name(name)) return false;
  std::string_view rest = name.substr(0, name.size() - 4);
  const auto take_digits = [&] {
    const std::size_t end = rest.find_last_not_of("0123456789") + 1;
    const bool any = end < rest.size();
    rest = rest.substr(0, end);
    return any;
  };
  const auto take = [&](char c) {
    const bool is = rest.ends_with(c);
    if (is) rest.remove_suffix(1);
    return is;
  };
  return take_digits() && take('-') && take_digits() && take('.') && rest.size() > 1;
}

bool is_temporary_name(std::string_view name) {
  return name.size() > 5 && name.starts_with('.') && name.ends_with(".tmp");
}

Folder::Folder(fs::path path) : path_(std::move(path)) {
  const char* const name = path_.empty() ? "." : path_.c_str();
  Descriptor fd(retry([&] { return ::open(name, open_folder); }));
  if (fd < 0) fail("open the folder", path_, errno);
  fd_ = std::make_shared<const Descriptor>(std::move(fd));
}

Folder::Folder(fs::path path, Descriptor fd)
    : path_(std::move(path)), fd_(std::make_shared<const Descriptor>(std::move(fd))) {}

/// The one place where names are checked: every function below asks it before it asks the system.
fs::path Folder::path_of(std::string_view name) const {
  if (!is_entry_name(name)) throw IoError(str('\'', name, "' cannot be the name of a file in ", path_.string()));
  return path_ / name;
}

std::optional<Folder> Folder::find(std::string_view name) const {
  const fs::path path = path_of(name);
  const std::string text(name);
  Descriptor fd(retry([&] { return ::openat(*fd_, text.c_str(), open_folder | O_NOFOLLOW); }));
  if (fd >= 0) return Folder(path, std::move(fd));
  const int error = errno;
  if (error == ENOENT) return {};
  struct stat info {};
  if (::fstatat(*fd_, text.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode)) refuse_link(path);
  fail("open the folder", path, error);
}

Folder Folder::make(std::string_view name) const {
  if (std::optional<Folder> there = find(name)) return *std::move(there);
  const std::string text(name);
  mutate(Operation::mkdir, "make the folder", path_of(name), [&] {
    const int result = ::mkdirat(*fd_, text.c_str(), 0777);
    return result < 0 && errno == EEXIST ? 0 : result;
  });
  sync();
  if (std::optional<Folder> made = find(name)) return *std::move(made);
  fail("open the folder", path_of(name), ENOENT);
}

Folder::Entry Folder::entry(std::string_view name) const {
  const fs::path path = path_of(name);
  const std::string text(name);
  struct stat info {};
  if (::fstatat(*fd_, text.c_str(), &info, AT_SYMLINK_NOFOLLOW) < 0)
    return errno == ENOENT ? Entry::none : Entry::other;  // what cannot be looked at is no file
  return S_ISREG(info.st_mode) ? Entry::file : S_ISDIR(info.st_mode) ? Entry::folder : Entry::other;
}

std::optional<std::uint64_t> Folder::size_of(std::string_view name) const {
  const fs::path path = path_of(name);
  const std::string text(name);
  struct stat info {};
  if (::fstatat(*fd_, text.c_str(), &info, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(info.st_mode)) return {};
  return std::uint64_t(info.st_size);
}

std::vector<std::string> Folder::names() const {
  const int fd = retry([&] { return ::openat(*fd_, ".", open_folder); });  // a listing closes what it reads
  DIR* const listing = fd < 0 ? nullptr : ::fdopendir(fd);
  if (!listing) {
    const int error = errno;
    if (fd >= 0) ::close(fd);
    fail("look into", path_, error);
  }
  std::vector<std::string> names;
  while (const dirent* at = ::readdir(listing))
    if (is_entry_name(at->d_name)) names.push_back(at->d_name);
  ::closedir(listing);
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> Folder::files() const {
  std::vector<std::string> files = names();
  std::erase_if(files, [this](const std::string& name) { return entry(name) != Entry::file; });
  return files;
}

Descriptor Folder::open(std::string_view name, int flags, const char* doing) const {
  const fs::path path = path_of(name);
  const std::string text(name);
  const bool changes = (flags & O_ACCMODE) != O_RDONLY;
  if (changes)
    if (const int error = detail::begin_operation(Operation::create)) fail(doing, path, error);
  // O_NONBLOCK: a pipe without a writer would be waited for.
  Descriptor fd(retry(
      [&] { return ::openat(*fd_, text.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666); }));
  if (fd < 0 && errno == ELOOP) refuse_link(path);
  if (fd < 0) fail(doing, path, errno);
  struct stat info {};
  if (::fstat(fd, &info) < 0) fail(doing, path, errno);
  if (S_ISDIR(info.st_mode)) fail(doing, path, EISDIR);
  if (!S_ISREG(info.st_mode)) throw IoError(str("cannot ", doing, ' ', path.string(), ": it is no plain file"));
  if (changes && info.st_nlink > 1)
    throw IoError(str("cannot ", doing, ' ', path.string(),
                      ": it has another name too (a hard link), and what has that would change: put a copy in its "
                      "place"));
  return fd;
}

Descriptor Folder::open_unnamed() const {
  if (const int error = detail::begin_operation(Operation::create)) fail("write to the folder", path_, error);
  Descriptor fd(retry([&] { return ::openat(*fd_, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); }));
  if (fd >= 0) return fd;
  if (errno == ENOSPC || errno == EDQUOT) fail("write to the folder", path_, errno);
  fd = Descriptor(::memfd_create("unnamed", MFD_CLOEXEC));  // where the file system has no such files
  if (fd < 0) fail("make a file in memory for the folder", path_, errno);
  return fd;
}

Bytes Folder::read(std::string_view name, std::uint64_t most) const {
  const fs::path path = path_of(name);
  const Descriptor fd = open(name, O_RDONLY, "read");
  const std::uint64_t size = disk::size_of(fd, path);
  if (size > most)
    throw IoError(str(path.string(), " is too large: ", size, " bytes, and such a file has at most ", most));
  Bytes bytes(size);
  bytes.resize(disk::read_all(fd, path, bytes.data(), bytes.size()));
  return bytes;
}

FileStamp Folder::write(std::string_view name, std::string_view bytes) const {
  FileWriter writer(*this, name);
  writer.write(bytes.data(), bytes.size());
  return writer.commit();
}

void Folder::append_line(std::string_view name, std::string_view line) const {
  const fs::path path = path_of(name);
  if (line.find('\n') != std::string_view::npos)
    throw Error(str("a line for ", path.string(), " has a line break in it"));
  const Descriptor fd = open(name, O_RDWR | O_CREAT | O_APPEND, "open");
  if (retry([&] { return ::flock(fd, LOCK_EX); }) < 0) fail("lock", path, errno);
  const std::uint64_t size = disk::size_of(fd, path);
  const std::uint64_t end = end_of_lines(fd, path, size);
  if (end != size) disk::cut(fd, path, end);
  try {
    const std::string text = std::string(line) + '\n';
    disk::write_all(fd, path, text.data(), text.size());
    disk::sync_file(fd, path);
    if (size == 0) sync();
  } catch (const IoError&) {
    try {
      disk::cut(fd, path, end);
    } catch (const IoError&) {  // then the torn line is cut at the next append, and readers drop it
    }
    throw;
  }
}

void Folder::truncate(std::string_view name, std::uint64_t size) const {
  const fs::path path = path_of(name);
  const Descriptor fd = open(name, O_WRONLY, "cut back");
  disk::cut(fd, path, size);
  disk::sync_file(fd, path);
}

void Folder::rename(std::string_view from, std::string_view to) const {
  path_of(from);
  const std::string before(from), after(to);
  mutate(Operation::rename, "rename to", path_of(to),
         [&] { return ::renameat(*fd_, before.c_str(), *fd_, after.c_str()); });
}

void Folder::remove(std::string_view name) const {
  const std::string text(name);
  mutate(Operation::remove, "remove", path_of(name), [&] {
    const int result = ::unlinkat(*fd_, text.c_str(), 0);
    return result < 0 && errno == ENOENT ? 0 : result;
  });
}

void Folder::remove_temporaries() const {
  for (const std::string& name : names())  // few are such, and only these are looked at
    if (is_temporary_entry(name) && entry(name) == Entry::file) remove(name);
}

void Folder::sync() const {
  disk::sync_folder(*fd_, path_);
}

}  // namespace silt

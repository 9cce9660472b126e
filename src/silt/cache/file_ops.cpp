#include "silt/cache/file_ops.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "silt/cache/fault.h"
#include "silt/core/input_file.h"
#include "silt/core/text.h"

namespace fs = std::filesystem;

namespace silt {
namespace {

using detail::begin_operation;
using detail::Operation;

/// `doing` reads on from "cannot": "write", "rename to".
[[noreturn]] void fail(const char* doing, const fs::path& path, int error) {
  if (error == ENOSPC) throw DiskFullError(str("the disk is full: cannot ", doing, ' ', path.string()));
  if (error == EDQUOT)
    throw DiskFullError(str("the disk is full (your quota is used up): cannot ", doing, ' ', path.string()));
  throw IoError(str("cannot ", doing, ' ', path.string(), ": ", std::strerror(error)));
}

/// Calls until it is not interrupted by a signal.
template <class Call>
auto retry(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// A mutating call: counted, possibly made to fail, and an error if it does fail.
template <class Call>
auto mutate(Operation operation, const char* doing, const fs::path& path, const Call& call) {
  if (const int error = begin_operation(operation)) fail(doing, path, error);
  const auto result = retry(call);
  if (result < 0) fail(doing, path, errno);
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return fd_; }

 private:
  int fd_;
};

int open_to_change(const fs::path& path, int flags, const char* doing) {
  return mutate(Operation::create, doing, path, [&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
}

int open_to_read(const fs::path& path) {
  const int fd = retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  if (fd < 0) fail("read", path, errno);
  return fd;
}

void write_all(int fd, const fs::path& path, const void* bytes, std::size_t size) {
  constexpr std::size_t none = std::size_t(-1);
  std::size_t die_after = none;
  if (const int error = begin_operation(Operation::write, &die_after, size)) fail("write", path, error);
  const char* at = static_cast<const char*>(bytes);
  std::size_t left = std::min(size, die_after);
  while (left > 0) {
    const ssize_t written = retry([&] { return ::write(fd, at, left); });
    if (written < 0) fail("write", path, errno);
    at += written;
    left -= std::size_t(written);
  }
  if (die_after != none) detail::die();
}

void sync_file(int fd, const fs::path& path) {
  mutate(Operation::sync, "write", path, [&] { return ::fsync(fd); });
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void rename_file(const fs::path& from, const fs::path& to) {
  mutate(Operation::rename, "rename to", to, [&] { return ::rename(from.c_str(), to.c_str()); });
}

std::uint64_t file_size(int fd, const fs::path& path) {
  struct stat info {};
  if (::fstat(fd, &info) < 0) fail("read", path, errno);
  if (S_ISDIR(info.st_mode)) fail("read", path, EISDIR);
  return std::uint64_t(info.st_size);
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

void cut(int fd, const fs::path& path, std::uint64_t size) {
  mutate(Operation::truncate, "cut back", path, [&] { return ::ftruncate(fd, off_t(size)); });
}

}  // namespace

void sync_folder(const fs::path& folder) {
  const Descriptor fd(retry([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (fd < 0) fail("open the folder", folder, errno);
  mutate(Operation::sync, "write to the folder", folder, [&] {
    const int result = ::fsync(fd);
    return result < 0 && errno == EINVAL ? 0 : result;  // some file systems cannot sync folders
  });
}

FileStamp stamp_of(std::string_view bytes) {
  return {bytes.size(), XXH3_64bits(bytes.data(), bytes.size())};
}

struct Hasher::State {
  XXH3_state_t* xxh = XXH3_createState();
  std::uint64_t size = 0;
  ~State() { XXH3_freeState(xxh); }
};

Hasher::Hasher() : state_(std::make_unique<State>()) {
  if (!state_->xxh) throw std::bad_alloc();
  XXH3_64bits_reset(state_->xxh);
}
Hasher::~Hasher() = default;

void Hasher::add(const void* bytes, std::size_t size) {
  XXH3_64bits_update(state_->xxh, bytes, size);
  state_->size += size;
}

FileStamp Hasher::stamp() const {
  return {state_->size, XXH3_64bits_digest(state_->xxh)};
}

FileWriter::FileWriter(fs::path path) : path_(std::move(path)), temporary_(temporary_name(path_)) {
  fd_ = open_to_change(temporary_, O_WRONLY | O_CREAT | O_TRUNC, "create");
}

FileWriter::~FileWriter() {
  if (fd_ >= 0) ::close(fd_);
  if (!committed_ && begin_operation(Operation::remove) == 0) ::unlink(temporary_.c_str());
}

void FileWriter::write(const void* bytes, std::size_t size) {
  if (size == 0) return;
  hasher_.add(bytes, size);
  write_all(fd_, temporary_, bytes, size);
}

void FileWriter::finish() {
  if (fd_ < 0) return;
  sync_file(fd_, temporary_);
  ::close(std::exchange(fd_, -1));
}

FileStamp FileWriter::commit() {
  finish();
  rename_file(temporary_, path_);
  committed_ = true;
  sync_folder(folder_of(path_));
  return stamp();
}

fs::path temporary_name(const fs::path& path) {
  return path.parent_path() / str('.', path.filename().string(), ".tmp");
}

bool is_temporary_name(std::string_view name) {
  return name.size() > 5 && name.starts_with('.') && name.ends_with(".tmp");
}

FileStamp write_atomically(const fs::path& path, std::string_view bytes) {
  FileWriter writer(path);
  writer.write(bytes.data(), bytes.size());
  return writer.commit();
}

FileStamp adopt_file(const fs::path& temporary, const fs::path& path) {
  Hasher hasher;
  {
    const Descriptor fd(open_to_read(temporary));
    Bytes block(1 << 20);
    while (true) {
      const ssize_t got = retry([&] { return ::read(fd, block.data(), block.size()); });
      if (got < 0) fail("read", temporary, errno);
      if (got == 0) break;
      hasher.add(block.data(), std::size_t(got));
    }
    sync_file(fd, temporary);
  }
  rename_file(temporary, path);
  sync_folder(folder_of(path));
  return hasher.stamp();
}

void append_line(const fs::path& path, std::string_view line) {
  if (line.find('\n') != std::string_view::npos)
    throw Error(str("a line for ", path.string(), " has a line break in it"));
  const Descriptor fd(open_to_change(path, O_RDWR | O_CREAT | O_APPEND, "open"));
  if (retry([&] { return ::flock(fd, LOCK_EX); }) < 0) fail("lock", path, errno);
  const std::uint64_t size = file_size(fd, path);
  const std::uint64_t end = end_of_lines(fd, path, size);
  if (end != size) cut(fd, path, end);
  try {
    const std::string text = std::string(line) + '\n';
    write_all(fd, path, text.data(), text.size());
    sync_file(fd, path);
    if (size == 0) sync_folder(folder_of(path));
  } catch (const IoError&) {
    try {
      cut(fd, path, end);
    } catch (const IoError&) {  // then the torn line is cut at the next append, and readers drop it
    }
    throw;
  }
}

void truncate_file(const fs::path& path, std::uint64_t size) {
  const Descriptor fd(retry([&] { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC); }));
  if (fd < 0) fail("cut back", path, errno);
  cut(fd, path, size);
  sync_file(fd, path);
}

void remove_file(const fs::path& path) {
  mutate(Operation::remove, "remove", path, [&] {
    const int result = ::unlink(path.c_str());
    return result < 0 && errno == ENOENT ? 0 : result;
  });
}

void remove_empty_folder(const fs::path& path) {
  mutate(Operation::remove, "remove", path, [&] {
    const int result = ::rmdir(path.c_str());
    const bool fine = errno == ENOENT || errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR || errno == EBUSY ||
                      errno == EINVAL;
    return result < 0 && fine ? 0 : result;
  });
}

void make_folder(const fs::path& path) {
  std::error_code ignored;
  if (path.empty() || fs::is_directory(path, ignored)) return;
  make_folder(path.parent_path());
  if (!path.has_filename()) return;  // "a/b/": made as "a/b"
  mutate(Operation::mkdir, "make the folder", path, [&] {
    const int result = ::mkdir(path.c_str(), 0777);
    return result < 0 && errno == EEXIST && fs::is_directory(path) ? 0 : result;
  });
  sync_folder(folder_of(path));
}

Bytes read_file(const fs::path& path, std::uint64_t most) {
  return InputFile(path, most).read_all<Bytes>();
}

namespace {

/// What its holder wrote into a lock; nothing when nobody holds it.
std::optional<std::string> text_of_lock(const fs::path& path) {
  const Descriptor fd(retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
  if (fd < 0) return {};
  if (::flock(fd, LOCK_SH | LOCK_NB) == 0) return {};  // closing lets go of it again
  char text[64] = {};
  const ssize_t got = ::pread(fd, text, sizeof text - 1, 0);
  return std::string(text, got > 0 ? std::size_t(got) : 0);
}

}  // namespace

FileLock::FileLock(const fs::path& path, std::string_view what, std::string_view how, std::string_view note) {
  fd_ = open_to_change(path, O_RDWR | O_CREAT, "open");
  if (retry([&] { return ::flock(fd_, LOCK_EX | LOCK_NB); }) < 0) {
    const int error = errno;
    ::close(std::exchange(fd_, -1));
    if (error != EWOULDBLOCK) fail("lock", path, error);
    const long process = holder(path);
    throw InputError(str(what, ' ', how, " by ", process > 0 ? str("process ", process) : "another process"));
  }
  try {
    const std::string text = str(mark, ::getpid(), note.empty() ? "" : " ", note, '\n');
    cut(fd_, path, 0);
    write_all(fd_, path, text.data(), text.size());
  } catch (...) {
    ::close(std::exchange(fd_, -1));
    throw;
  }
}

FileLock::~FileLock() {
  if (fd_ >= 0) ::close(fd_);
}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

long FileLock::holder(const fs::path& path) {
  const std::optional<std::string> text = text_of_lock(path);
  if (!text) return 0;
  if (!text->starts_with(mark)) return -1;
  const long process = std::strtol(text->c_str() + mark.size(), nullptr, 10);
  return process > 0 ? process : -1;
}

std::string FileLock::holder_note(const fs::path& path) {
  const std::string text = text_of_lock(path).value_or("");
  const std::size_t space = text.find(' ', std::min(mark.size(), text.size()));
  return space == std::string::npos ? "" : text.substr(space + 1, text.find('\n') - space - 1);
}

}  // namespace silt

#include "silt/cache/disk_calls.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "silt/cache/file_ops.h"
#include "silt/core/text.h"

namespace fs = std::filesystem;

namespace silt::disk {

using detail::begin_operation;
using detail::Operation;

void fail(const char* doing, const fs::path& path, int error) {
  if (error == ENOSPC) throw DiskFullError(str("the disk is full: cannot ", doing, ' ', path.string()));
  if (error == EDQUOT)
    throw DiskFullError(str("the disk is full (your quota is used up): cannot ", doing, ' ', path.string()));
  throw IoError(str("cannot ", doing, ' ', path.string(), ": ", std::strerror(error)));
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
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

std::size_t read_all(int fd, const fs::path& path, char* bytes, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = retry([&] { return ::pread(fd, bytes + done, size - done, off_t(done)); });
    if (got < 0) fail("read", path, errno);
    if (got == 0) break;
    done += std::size_t(got);
  }
  return done;
}

void sync_file(int fd, const fs::path& path) {
  mutate(Operation::sync, "write", path, [&] { return ::fsync(fd); });
}

void sync_folder(int fd, const fs::path& folder) {
  mutate(Operation::sync, "write to the folder", folder, [&] {
    const int result = ::fsync(fd);
    return result < 0 && errno == EINVAL ? 0 : result;  // some file systems cannot sync folders
  });
}

void cut(int fd, const fs::path& path, std::uint64_t size) {
  mutate(Operation::truncate, "cut back", path, [&] { return ::ftruncate(fd, off_t(size)); });
}

std::uint64_t size_of(int fd, const fs::path& path) {
  struct stat info {};
  if (::fstat(fd, &info) < 0) fail("read", path, errno);
  return std::uint64_t(info.st_size);
}

}  // namespace silt::disk
